import type { Section } from '../page/section.ts';
import { figureSvg, figureWidth } from '../plots/figure.ts';
import { type Stack, stackPanel, stackPanelHeight } from '../plots/stack-panel.ts';
import { colours } from '../plots/theme.ts';
import { linearTicks } from '../plots/ticks.ts';
import { type Spread, spreadOf } from '../spread.ts';
import { countText, factorText, megabytesText, rangeText, rowsText } from '../words.ts';
import { type MemoryData, type ProcessName, processNames } from './memory-data.ts';

type State = MemoryData['states'][number];

const processColours: Readonly<Record<ProcessName, string>> = {
  gateway: colours.gateway,
  engine: colours.second,
  analyzer: colours.third,
  watchers: colours.fourth,
};

/** What the page says of memory. */
export function memorySection(data: MemoryData): Section {
  const { states } = data;
  const [rest] = states;
  const loaded = states.slice(1, -1).toSorted((a, b) => totalOf(b).median - totalOf(a).median);
  const [most] = loaded;
  const after = states.at(-1);
  return {
    shown: `The memory of a gateway's processes over a store of ${rowsText(data.rows)} rows: at rest, under each kind of load, and after all of it.`,
    plot: { svg: plot(states), alternative: alternativeOf(states) },
    results: [
      ...(rest === undefined
        ? []
        : [
            `At rest, all processes together take ${megabytesText(totalOf(rest).median)}: ${ofProcesses(rest)}.`,
          ]),
      ...(most === undefined
        ? []
        : [
            `They take most during "${most.state}": ${megabytesText(totalOf(most).median)}, of which ${ofProcesses(most)}. The engine may take ${data.engineLimit} and cached results ${megabytesText(data.cacheBytes)} with the default settings.`,
          ]),
    ],
    lost:
      rest === undefined || after === undefined || totalOf(after).median <= totalOf(rest).median
        ? []
        : [
            `Memory is not given back at once: ${data.seconds} s after the load, it is ${factorText(totalOf(after).median / totalOf(rest).median)} that at rest (${megabytesText(totalOf(after).median)}).`,
          ],
    table: {
      headings: ['State', ...processNames, 'Together', 'Answers'],
      rows: states.map((state) => [
        state.state,
        ...processNames.map((name) => megabytesText(of(state, name).median)),
        rangeText(totalOf(state), megabytesText),
        state.answers === 0 ? '–' : countText(state.answers),
      ]),
    },
    method: [
      `Linux's proportional set size (\`Pss\`), in which memory that processes share counts once. Each state lasts ${data.seconds} s, in this order, in ${states[0]?.rounds.length ?? 0} starts of a gateway. "At rest" and "afterwards" are taken at the end of that time; under load, the moment counts in which all processes took most. Numbers are medians with the lowest and highest start. "Watchers" are two shells that end the other processes if the gateway is killed.`,
      'Proved: each answer was right; hits came from the cache, and queries had a run of the engine each; collectors\' rows were acknowledged. "Answers" counts them, rows for ingestion.',
    ],
  };
}

function of({ rounds }: State, name: ProcessName): Spread {
  return spreadOf(rounds.map((round) => round[name] ?? 0));
}

function totalOf({ rounds }: State): Spread {
  return spreadOf(rounds.map((round) => processNames.reduce((sum, name) => sum + (round[name] ?? 0), 0)));
}

function ofProcesses(state: State): string {
  return processNames
    .filter((name) => name !== 'watchers')
    .map((name) => `${name} ${megabytesText(of(state, name).median)}`)
    .join(', ');
}

function plot(states: readonly State[]): string {
  const most = Math.max(...states.map((state) => totalOf(state).most)) * 1.03;
  const stacks = states.map(
    (state): Stack => ({
      row: state.state,
      values: processNames.map((name) => of(state, name).median),
      least: totalOf(state).least,
      most: Math.max(
        totalOf(state).most,
        processNames.reduce((sum, name) => sum + of(state, name).median, 0),
      ),
      label: megabytesText(totalOf(state).median),
    }),
  );
  const ticks = linearTicks(most / 1e6).map((megabytes) => megabytes * 1e6);
  return figureSvg({
    height: stackPanelHeight(stacks.length),
    alternative: alternativeOf(states),
    panels: [
      stackPanel({
        ...{ width: figureWidth, stacks, most, ticks, names: 110, labels: 80 },
        pieces: processNames.map((name) => ({ name, colour: processColours[name] })),
        tickFormat: (value) => countText(value / 1e6),
        axis: 'megabytes',
      }),
    ],
  });
}

function alternativeOf(states: readonly State[]): string {
  const texts = states.map((state) => `${state.state} ${megabytesText(totalOf(state).median)}`);
  return `Memory of all processes. ${texts.join('; ')}.`;
}
