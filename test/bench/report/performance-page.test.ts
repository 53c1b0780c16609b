import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { performancePage } from '../../../bench/report/page/performance-page.ts';
import { partNames } from '../../../bench/report/part-name.ts';
import { parseResults, type Results } from '../../../bench/report/results.ts';

const folder = 'docs/performance';
const committed = async () => parseResults(await readFile(`${folder}/results.json`, 'utf8'));

describe('the page on performance', () => {
  it('is what its results are rendered to, and nothing else', async () => {
    const { markdown, plots } = performancePage(await committed());
    expect(await readFile('docs/performance.md', 'utf8')).toBe(markdown);
    for (const part of partNames) {
      const file = `${folder}/${part}.svg`;
      expect(existsSync(file) ? await readFile(file, 'utf8') : undefined).toBe(plots.get(part));
    }
  });

  it('has plots that need nothing else and have colours for dark pages', async () => {
    for (const svg of performancePage(await committed()).plots.values()) {
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="820" /);
      expect(svg).toContain('prefers-color-scheme: dark');
      expect(svg).not.toMatch(/NaN|undefined|Infinity|href=|url\(/);
    }
  });

  it('shows a part that failed with its reason, and one that was not measured with its command', async () => {
    const { parts } = await committed();
    const stored = Object.values(parts)[0];
    if (stored === undefined) throw new Error('nothing was measured');
    const failed: Results = {
      parts: { hits: { ...stored, outcome: { kind: 'failed', reason: 'hits did not come from the cache' } } },
    };
    const { markdown, plots } = performancePage(failed);
    expect(plots.size).toBe(0);
    expect(markdown).toContain(
      '**Failed**: this could not be measured.\n\n```text\nhits did not come from the cache\n```',
    );
    expect(markdown).toContain('Not measured yet: `npm run bench -- report --only servers`.');
  });

  /** The page of planning that took so long, on a machine of which others used a part, if it is known. */
  const planning = (ms: number, used: { readonly usedByOthers?: number } = {}) => {
    const spread = { least: ms, quarter: ms, median: ms, threeQuarters: ms, most: ms };
    const point = (tables: number) => ({ tables, fresh: spread, repeated: spread });
    const data = { texts: 1, kinds: [{ kind: 'JOIN', points: [point(1), point(2)] }] };
    const machine = { processor: 'x', cores: 1, memoryBytes: 1, system: 'Linux', load: 5.37, ...used };
    const part = { command: 'x --full', began: '2026-01-01', seconds: 1, machine, versions: {} };
    return performancePage({ parts: { planning: { ...part, outcome: { kind: 'measured', data } } } })
      .markdown;
  };

  it('computes its sentences: another number gives another claim', () => {
    expect(planning(20)).toContain('JOIN: 20 ms for one table, 20 ms for 2 tables');
    expect(planning(300)).toContain('JOIN: 300 ms for one table, 300 ms for 2 tables');
  });

  it('says of a part that the machine was busy: at a glance, above its numbers and where the machine is', () => {
    const [glance = '', part = ''] = planning(20, { usedByOthers: 0.61 }).split('\n## Planning');
    const note = '**The machine was busy**: these numbers also show what other programs did.';
    expect(glance).toContain(`${note} JOIN: 20 ms for one table`);
    expect(part).toContain(`\n\n${note}\n\n`);
    expect(part).toContain('it was **busy**: other programs used 61 % of the processor time before.');
    expect(part).not.toContain('load');
  });

  it('says what others used of a quiet machine, and the load where only that was stored', () => {
    const quiet = planning(20, { usedByOthers: 0.25 });
    expect(quiet).toContain('Linux; other programs used 25 % of the processor time before.');
    expect(quiet).not.toMatch(/busy/i);
    const old = planning(20);
    expect(old).toContain('Linux; its load was 5.4 before.');
    expect(old).not.toMatch(/busy/i);
  });

  it('shows the command of a part, with its scale', () => {
    expect(planning(20)).toContain('Command: `x --full`, 2026-01-01, 1 s.');
  });

  it('refuses results of another form', () => {
    expect(() => parseResults('{"parts":{"servers":{}}}')).toThrow('the results have another form');
  });
});
