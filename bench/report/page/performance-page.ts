import { type PartName, partNames } from '../part-name.ts';
import { isBusy } from '../quiet-machine.ts';
import type { Machine, Results, StoredPart } from '../results.ts';
import { sections } from '../sections.ts';
import { countText, megabytesText, percentText } from '../words.ts';
import { markdownTable } from './markdown-table.ts';

/** The page and its plots. */
export interface PerformancePage {
  readonly markdown: string;
  /** SVG documents by part. Parts that failed or weren't measured have none. */
  readonly plots: ReadonlyMap<PartName, string>;
}

/** A part of the page. */
interface PagePart {
  readonly title: string;
  readonly text: string;
  /** Its first result, or that there is none. */
  readonly summary: string;
  readonly svg?: string;
}

const introduction = `# Performance

How fast the gateway is beside others, and where it is slower. \`npm run bench -- report\` measures all of this and
writes this page with its plots: no number or sentence about numbers was written by hand. Each measurement proves that it
measured what it says, or its part fails and is shown as failed. The numbers are in
[results.json](performance/results.json).

Compare ratios: absolute numbers depend on the machine. \`npm run bench -- report --only <part>\` measures a part again.`;

/** Makes the page from results and nothing else. */
export function performancePage(results: Results): PerformancePage {
  const parts = partNames.map((name): [PartName, PagePart] => [name, pagePart(name, results.parts[name])]);
  const markdown = [
    introduction,
    '## At a glance',
    markdownTable({
      headings: ['Part', 'Result'],
      rows: parts.map(([name, { title, summary }]) => [
        `[${title}](#${anchorOf(title)}) (\`${name}\`)`,
        summary,
      ]),
    }),
    ...parts.map(([, { text }]) => text),
  ];
  return {
    markdown: `${markdown.join('\n\n')}\n`,
    plots: new Map(parts.flatMap(([name, { svg }]) => (svg === undefined ? [] : [[name, svg]]))),
  };
}

function pagePart(name: PartName, stored: StoredPart | undefined): PagePart {
  const { title, section } = sections[name];
  const heading = `## ${title}`;
  if (stored === undefined) {
    const summary = `Not measured yet: \`npm run bench -- report --only ${name}\`.`;
    return { title, summary, text: `${heading}\n\n${summary}` };
  }
  const { outcome } = stored;
  if (outcome.kind === 'failed') {
    const summary = '**Failed**: this could not be measured.';
    const reason = `\`\`\`text\n${outcome.reason.replaceAll('```', "'''")}\n\`\`\``;
    return { title, summary, text: [heading, summary, reason, originOf(stored)].join('\n\n') };
  }
  const { shown, plot, results, lost, table, method } = section(outcome.data);
  const text = [
    heading,
    ...busyText(stored.machine),
    shown,
    `![${plot.alternative.replaceAll(/[[\]]/g, '')}](performance/${name}.svg)`,
    listOf(results),
    '**What is lost**',
    listOf(lost.length === 0 ? ['Nothing that was measured here.'] : lost),
    markdownTable(table, 1),
    '**How it was measured**',
    listOf(method),
    originOf(stored),
  ].join('\n\n');
  const summary = [...busyText(stored.machine), ...results.slice(0, 1)].join(' ');
  return { title, text, summary, svg: plot.svg };
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `- ${text}`).join('\n');
}

/** That others disturbed a part, if they did. */
function busyText({ usedByOthers }: Machine): string[] {
  if (usedByOthers === undefined || !isBusy(usedByOthers)) return [];
  return [`**The machine was busy**: these numbers also show what other programs did.`];
}

/** How busy the machine was before a part. Older results only have its load. */
function beforeText({ usedByOthers, load }: Machine): string {
  if (usedByOthers === undefined) return `its load was ${load.toFixed(1)} before`;
  const used = `other programs used ${percentText(usedByOthers)} of the processor time before`;
  return isBusy(usedByOthers) ? `it was **busy**: ${used}` : used;
}

function originOf({ command, began, seconds, machine, versions }: StoredPart): string {
  const { processor, cores, memoryBytes, system } = machine;
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    `Machine: ${processor}, ${cores} cores, ${megabytesText(memoryBytes)} of memory, ${system}; ${beforeText(machine)}.`,
    `Versions: ${programs.join(', ')}.`,
    `Command: \`${command}\`, ${began.slice(0, 10)}, ${countText(seconds)} s.`,
  ].join('\\\n');
}

/** The anchor of a heading on GitHub. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
