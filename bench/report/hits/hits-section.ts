import type { Section } from '../page/section.ts';
import { type Dot, dotPanel, dotPanelHeight } from '../plots/dot-panel.ts';
import { figureSvg, figureWidth } from '../plots/figure.ts';
import { colours } from '../plots/theme.ts';
import { logDomain, tickText } from '../plots/ticks.ts';
import { type Spread, spreadOf } from '../spread.ts';
import { asLongText, countText, msText, percentText, rangeText, rowsText } from '../words.ts';
import type { HitsData, SeenHits } from './hits-data.ts';

const measures = ['p50', 'p90', 'p99', 'longest'] as const;

/** What the page says of cached results while hostile queries run. */
export function hitsSection(data: HitsData): Section {
  const { rounds, callers } = data;
  const of = (when: 'alone' | 'meanwhile', name: keyof SeenHits) =>
    spreadOf(rounds.map((round) => round[when][name]));
  const [alone, meanwhile] = [of('alone', 'p99').median, of('meanwhile', 'p99').median];
  const sum = (name: keyof HitsData['rounds'][number]['lights']) =>
    rounds.reduce((total, { lights }) => total + lights[name], 0);
  const lights = sum('answered') + sum('refused') + sum('others');
  return {
    shown: `Calls that are answered from the cache, alone and while ${callers} callers send only hostile queries over ${rowsText(data.rows)} rows (slow functions, huge joins, sorts and texts), each the next one as soon as it has an answer.`,
    plot: { svg: plot(of), alternative: alternativeOf(of) },
    results: [
      `The p99 of hits is ${msText(alone)} alone and ${msText(meanwhile)} during the storm: ${asLongText(meanwhile / alone)}. All ${countText(totalOf(rounds, 'meanwhile'))} calls were answered from the cache.`,
      `Of ${countText(lights)} light queries of other callers, which need the engine meanwhile, ${percentText(sum('answered') / lights)} were answered, ${countText(sum('refused'))} refused with \`Retry-After\`, and ${countText(sum('others'))} ended otherwise.`,
    ],
    lost: [
      `The storm takes processor time from hits: their median goes from ${msText(of('alone', 'p50').median)} to ${msText(of('meanwhile', 'p50').median)}, and the longest one took ${msText(of('meanwhile', 'longest').most)}, against ${msText(of('alone', 'longest').most)} alone.`,
    ],
    table: {
      headings: ['Hits', 'Alone', 'During the storm', 'Ratio'],
      rows: measures.map((name) => [
        name,
        rangeText(of('alone', name), msText),
        rangeText(of('meanwhile', name), msText),
        `${(of('meanwhile', name).median / of('alone', name).median).toFixed(1)} ×`,
      ]),
    },
    method: [
      `A call every 20 ms, whether the former one is answered or not, for ${data.seconds} s alone and ${data.seconds} s with hostile callers, in turn; a gateway is started anew for each. Numbers are medians of ${rounds.length} rounds with the lowest and highest one. Callers share the machine and one process with those of the storm.`,
      `Hostile queries by the status of their answer: ${hostileText(data)}.`,
      'Proved: hostile queries were answered, each hit has status 200, and the gateway counted as many answers from its cache.',
    ],
  };
}

type SpreadOf = (when: 'alone' | 'meanwhile', name: keyof SeenHits) => Spread;

function totalOf(rounds: HitsData['rounds'], when: 'alone' | 'meanwhile'): number {
  return rounds.reduce((total, round) => total + round[when].answers, 0);
}

function hostileText({ rounds }: HitsData): string {
  const counts = new Map<string, number>();
  for (const { hostile } of rounds) {
    for (const [status, count] of Object.entries(hostile))
      counts.set(status, (counts.get(status) ?? 0) + count);
  }
  return [...counts]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([status, count]) => `${status}: ${countText(count)}`)
    .join(', ');
}

function plot(of: SpreadOf): string {
  const dotsOf = (when: 'alone' | 'meanwhile'): Dot[] =>
    measures.map((name) => {
      const { median, least, most } = of(when, name);
      const text = when === 'alone' ? 'alone' : 'during the storm';
      return {
        ...{ row: name, value: median, least, most },
        colour: when === 'alone' ? colours.other : colours.gateway,
        label: name === 'p50' ? `${text} ${msText(median)}` : msText(median),
        side: sideOf(of, name, when),
      };
    });
  const dots = [...dotsOf('alone'), ...dotsOf('meanwhile')];
  const [least, most] = logDomain(dots.flatMap((one) => [one.least, one.most]));
  // Room for the labels on both sides.
  const room = (most / least) ** 0.22;
  const domain = [least / room, most * room] as const;
  return figureSvg({
    height: dotPanelHeight(measures.length),
    alternative: alternativeOf(of),
    panels: [
      dotPanel({
        ...{ x: 0, y: 0, width: figureWidth, rows: measures, names: 60, dots, domain },
        ...{ tickFormat: tickText, axis: 'milliseconds of a cached answer' },
      }),
    ],
  });
}

/** The label of the faster one stands at the left. */
function sideOf(of: SpreadOf, name: keyof SeenHits, when: 'alone' | 'meanwhile'): Dot['side'] {
  const other = when === 'alone' ? 'meanwhile' : 'alone';
  const [own, its] = [of(when, name).median, of(other, name).median];
  if (own === its) return when === 'alone' ? 'left' : 'right';
  return own < its ? 'left' : 'right';
}

function alternativeOf(of: SpreadOf): string {
  const texts = measures.map(
    (name) =>
      `${name} ${msText(of('alone', name).median)} alone, ${msText(of('meanwhile', name).median)} during the storm`,
  );
  return `Time of cached answers. ${texts.join('; ')}.`;
}
