import type { Section } from '../page/section.ts';
import { figureSvg, figureWidth } from '../plots/figure.ts';
import { linePanel } from '../plots/line-panel.ts';
import { colours } from '../plots/theme.ts';
import { linearTicks } from '../plots/ticks.ts';
import { type Spread, spreadOf } from '../spread.ts';
import { countText, factorText, msText, percentText, rangeText, rowsText } from '../words.ts';
import type { CallersData } from './callers-data.ts';

type Group = CallersData['groups'][number];

/** What the page says of many equal calls at once. */
export function callersSection(data: CallersData): Section {
  const { callers, endpoint, rows, groups } = data;
  const at = (group: Group, percent: number): Spread =>
    spreadOf(group.rounds.map(({ percentiles }) => percentiles[percent] ?? Number.NaN));
  const alone = (group: Group) => spreadOf(group.rounds.map(({ aloneMs }) => aloneMs));
  const runs = groups.flatMap(({ rounds }) => rounds.map(({ engineRuns }) => engineRuns));
  const [single] = groups;
  const last = groups.at(-1);
  return {
    shown: `${countText(callers)} equal calls of \`${endpoint}\` over ${rowsText(rows)} rows arrive at once, and their result is not cached yet: the part of them that has been answered after so many milliseconds.`,
    plot: { svg: plot(data), alternative: alternativeOf(data) },
    results: [
      `The engine ran ${runs.every((count) => count === 1) ? 'once' : `${Math.max(...runs)} times`} for ${countText(callers)} calls, in each of ${runs.length} rounds${groups.length > 1 ? ', also with replicas' : ''}.`,
      ...groups.map(
        (group) =>
          `${nameOf(group)}: half of the callers have their answer after ${msText(at(group, 50).median)}, the last one after ${msText(at(group, 100).median)}. One caller alone waits ${msText(alone(group).median)}.`,
      ),
    ],
    lost: [
      ...groups.map(
        (group) =>
          `${nameOf(group)}: the last of ${countText(callers)} callers waits ${factorText(at(group, 100).median / alone(group).median)} as long as one who is alone, because their answers leave one after the other.`,
      ),
      ...(single !== undefined &&
      last !== undefined &&
      single !== last &&
      at(last, 100).median > at(single, 100).median
        ? [
            `On this one machine, replicas don't help: the last answer of ${last.replicas} takes ${factorText(at(last, 100).median / at(single, 100).median)} that of one.`,
          ]
        : []),
    ],
    table: {
      headings: ['Replicas', 'Engine runs', 'Alone', 'p50', 'p99', 'Last'],
      rows: groups.map((group) => [
        String(group.replicas),
        [...new Set(group.rounds.map(({ engineRuns }) => engineRuns))].join(', '),
        msText(alone(group).median),
        rangeText(at(group, 50), msText),
        rangeText(at(group, 99), msText),
        rangeText(at(group, 100), msText),
      ]),
    },
    method: [
      `All connections are open before the first request is sent, and times are counted from then. Each round asks for another project, whose result nobody has; each is one line of the plot. Numbers are medians of ${single?.rounds.length ?? 0} rounds with the lowest and highest one.`,
      'Replicas share a Redis on the same machine, and each has a copy of the store. Gateways, clients and Redis share the machine.',
      `Proved: all ${countText(callers)} answers are the same and have status 200; the replicas together counted one run of an engine, none that failed, and at least ${countText(callers - 1)} answers from a cache or from another call's run.`,
    ],
  };
}

function nameOf({ replicas }: Group): string {
  return replicas === 1 ? 'One gateway' : `${replicas} replicas`;
}

const groupColours = [colours.gateway, colours.second, colours.third];

function plot(data: CallersData): string {
  const times = data.groups.flatMap(({ rounds }) => rounds.flatMap(({ percentiles }) => percentiles));
  const most = Math.max(...times) * 1.03;
  const alone = spreadOf(data.groups.flatMap(({ rounds }) => rounds.map(({ aloneMs }) => aloneMs))).median;
  // The label stands at the slowest round's middle.
  const lines = data.groups.flatMap((group, index) => {
    const slowest = group.rounds.toSorted((a, b) => (b.percentiles[100] ?? 0) - (a.percentiles[100] ?? 0))[0];
    return group.rounds.map((round) => ({
      points: round.percentiles.map((x, percent) => ({ x, y: percent / 100 })),
      colour: groupColours[index % groupColours.length] ?? colours.ink,
      isThin: true,
      ...(round === slowest ? { label: nameOf(group).toLowerCase(), labelAt: 100 - 12 * (index + 1) } : {}),
    }));
  });
  return figureSvg({
    height: 300,
    alternative: alternativeOf(data),
    panels: [
      linePanel({
        ...{ x: 0, y: 0, width: figureWidth, height: 300, labels: 110, lines },
        across: {
          ...{ type: 'linear', domain: [0, most], ticks: linearTicks(most) },
          ...{ tickFormat: countText, text: 'milliseconds after all calls were sent' },
        },
        up: {
          ...{ type: 'linear', domain: [0, 1], ticks: [0, 0.25, 0.5, 0.75, 1] },
          ...{ tickFormat: percentText, text: 'calls answered' },
        },
        references: { x: { value: alone, text: `one caller alone: ${msText(alone)}` } },
      }),
    ],
  });
}

function alternativeOf({ callers, groups }: CallersData): string {
  const texts = groups.map((group) => {
    const at = (percent: number) =>
      spreadOf(group.rounds.map(({ percentiles }) => percentiles[percent] ?? 0)).median;
    return `${nameOf(group)}: half after ${msText(at(50))}, all after ${msText(at(100))}`;
  });
  return `${countText(callers)} equal calls at once. ${texts.join('; ')}.`;
}
