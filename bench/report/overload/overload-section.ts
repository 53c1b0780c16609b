import type { Section } from '../page/section.ts';
import { figureSvg, figureWidth } from '../plots/figure.ts';
import { type Axis, type Line, linePanel } from '../plots/line-panel.ts';
import { colours } from '../plots/theme.ts';
import { logDomain, logTicks, tickText } from '../plots/ticks.ts';
import { type Spread, spreadOf } from '../spread.ts';
import { countText, factorText, listText, msText, percentText, rangeText, rowsText } from '../words.ts';
import type { OverloadData } from './overload-data.ts';

type Level = OverloadData['levels'][number];
type Measure = keyof Level['rounds'][number];

/** What the page says of overload. */
export function overloadSection(data: OverloadData): Section {
  const { levels } = data;
  const first = levels[0];
  const last = levels.at(-1);
  const worst = levels.toSorted((a, b) => of(a, 'goodput').median - of(b, 'goodput').median)[0];
  const unsent = levels.filter((level) => of(level, 'sent').median < of(level, 'asked').median * 0.95);
  return {
    shown: `Stored queries over ${rowsText(data.rows)} rows, each of which is new, at ${listText(levels.map(({ times }) => String(times)))} times the rate that the gateway can answer: how many still get their answer, and how long those wait.`,
    plot: { svg: plot(data), alternative: alternativeOf(data) },
    results: [
      ...(last === undefined
        ? []
        : [
            `At ${last.times} times its capacity, the gateway still answers ${percentText(of(last, 'goodput').median)} of what it can at best, and refuses the rest: ${countText(of(last, 'refused').median)} requests per second.`,
            `Admitted requests then take ${msText(of(last, 'p50').median)} (p50) and ${msText(of(last, 'p99').median)} (p99).`,
          ]),
    ],
    lost: [
      ...(worst === undefined || of(worst, 'goodput').median >= 1
        ? []
        : [
            `Overload costs at most ${percentText(1 - of(worst, 'goodput').median)} of the capacity (at ${worst.times} times). A part of it is taken by the load generator, which shares the machine.`,
          ]),
      ...(first === undefined || last === undefined || of(last, 'p99').median <= of(first, 'p99').median
        ? []
        : [
            `Admitted requests wait: from ${first.times} to ${last.times} times the capacity, their p99 becomes ${factorText(of(last, 'p99').median / of(first, 'p99').median)} as long.`,
          ]),
      ...(unsent.length === 0
        ? []
        : [
            `With ${countText(data.connections)} connections, the load generator could not send all that was meant at ${listText(unsent.map(({ times }) => String(times)))} times: see "sent".`,
          ]),
    ],
    table: {
      headings: [
        'Times the capacity',
        'Meant/s',
        'Sent/s',
        'Answered/s',
        'Refused/s',
        'Goodput',
        'p50',
        'p99',
      ],
      rows: levels.map((level) => [
        String(level.times),
        countText(of(level, 'asked').median),
        countText(of(level, 'sent').median),
        countText(of(level, 'good').median),
        countText(of(level, 'refused').median),
        rangeText(of(level, 'goodput'), percentText),
        rangeText(of(level, 'p50'), msText),
        rangeText(of(level, 'p99'), msText),
      ]),
    },
    method: [
      `The capacity is what ${data.capacityConnections} clients get that ask again as soon as they have an answer: ${rangeText(spreadOf(data.capacity), countText)} answers per second, measured before and after each round. Levels have ${countText(data.connections)} connections and last ${data.seconds} s, of which the first ${data.openingSeconds} s don't count; requests are sent at a fixed rate whether the former ones are answered or not. Numbers are medians of ${first?.rounds.length ?? 0} rounds with the lowest and highest one.`,
      'Proved: each answer is right, or a refusal with status 503; the engine counted a run for each right one, and none came from the cache or shared a run.',
    ],
  };
}

function of({ rounds }: Level, name: Measure): Spread {
  return spreadOf(rounds.map((round) => round[name]));
}

function lineOf(levels: readonly Level[], name: Measure, colour: string, label: string): Line {
  const points = levels.map((level) => {
    const { median, least, most } = of(level, name);
    return { x: level.times, y: median, least, most };
  });
  return { points, colour, label };
}

function plot({ levels }: OverloadData): string {
  const times = levels.map((level) => level.times);
  const across: Axis = {
    ...{ type: 'log', domain: [Math.min(...times) / 1.1, Math.max(...times) * 1.1], ticks: times },
    ...{ tickFormat: (value: number) => `${value}×`, text: 'load, as a multiple of the capacity' },
  };
  const goodputs = levels.flatMap(({ rounds }) => rounds.map(({ goodput }) => goodput));
  const most = Math.max(1.1, ...goodputs) * 1.05;
  const latencies = levels.flatMap(({ rounds }) => rounds.flatMap(({ p50, p99 }) => [p50, p99]));
  const domain = logDomain(latencies);
  const half = figureWidth / 2;
  return figureSvg({
    height: 290,
    alternative: alternativeOf({ levels }),
    panels: [
      linePanel({
        ...{ x: 0, y: 0, width: half, height: 260, labels: 24, across, heading: 'Goodput' },
        lines: [lineOf(levels, 'goodput', colours.gateway, '')],
        up: {
          ...{ type: 'linear', domain: [0, most], ticks: [0, 0.25, 0.5, 0.75, 1] },
          ...{ tickFormat: percentText, text: 'right answers, as a part of the capacity' },
        },
        references: { y: { value: 1, text: '' } },
      }),
      linePanel({
        ...{
          x: half,
          y: 0,
          width: half,
          height: 260,
          labels: 60,
          across,
          heading: 'Latency of admitted requests',
        },
        lines: [
          { ...lineOf(levels, 'p99', colours.second, 'p99'), labelDown: -6 },
          { ...lineOf(levels, 'p50', colours.gateway, 'p50'), labelDown: 6 },
        ],
        up: { type: 'log', domain, ticks: logTicks(domain, 190), tickFormat: tickText, text: 'milliseconds' },
      }),
    ],
  });
}

function alternativeOf({ levels }: Pick<OverloadData, 'levels'>): string {
  const texts = levels.map(
    (level) =>
      `${level.times} times: goodput ${percentText(of(level, 'goodput').median)}, p99 ${msText(of(level, 'p99').median)}`,
  );
  return `Overload, by multiples of the capacity. ${texts.join('; ')}.`;
}
