import type { Section } from '../page/section.ts';
import { figureSvg, figureWidth } from '../plots/figure.ts';
import { type Line, linePanel } from '../plots/line-panel.ts';
import { colours } from '../plots/theme.ts';
import { logDomain, logTicks, tickText } from '../plots/ticks.ts';
import { quartilesOf, type Spread } from '../spread.ts';
import { countText, factorText, msText, rangeText, rowsText } from '../words.ts';
import type { RefreshesData } from './refreshes-data.ts';

/** What the page says of refreshes. */
export function refreshesSection(data: RefreshesData): Section {
  const { stores, added } = data;
  const names = stores[0]?.queries.map(({ what }) => what) ?? [];
  const firsts = stores.flatMap(({ queries }) =>
    queries.map(({ firstMs, firstWholeMs }) => firstMs / firstWholeMs),
  );
  return {
    shown: `The time of queries over the last days, after ${countText(added)} rows came, by the number of rows in the store: merged from slices of earlier runs, and from all rows of the days.`,
    plot: { svg: plot(data, names), alternative: alternativeOf(data) },
    results: stores.map(
      ({ rows, queries }) =>
        `Over ${rowsText(rows)} rows: ${queries.map(({ what, sliced, whole }) => `${what} ${msText(sliced.median)} instead of ${msText(whole.median)}`).join('; ')}.`,
    ),
    lost: [
      `The first run of a query makes its slices: it takes ${factorText(Math.min(...firsts))} to ${factorText(Math.max(...firsts))} as long as one that only reads.`,
    ],
    table: {
      headings: [
        ...['Query', 'Rows stored', 'From slices (quartiles)', 'From all rows', 'First run', 'All rows'],
        ...['DuckDB by hand', 'ClickHouse'],
      ],
      rows: stores.flatMap(({ rows, queries }) =>
        queries.map(({ what, sliced, whole, firstMs, firstWholeMs, byHand, clickhouse }) => [
          what,
          rowsText(rows),
          rangeText(quartilesOf(sliced), msText),
          msText(whole.median),
          msText(firstMs),
          msText(firstWholeMs),
          byHand === undefined ? '' : msText(byHand.median),
          clickhouse === undefined ? '' : msText(clickhouse.median),
        ]),
      ),
    },
    method: [
      'The engine alone, in one process, from parameters to decoded rows. Rows are spread over thirty days. Both kinds of runs alternate, after the same new rows and with the same clock. Dots are medians, lines go from the first to the third quartile.',
      'The SQL by hand is that of someone who knows the flat table, in the same process. ClickHouse has the rows in a process of its own (npm `chdb`), ordered by project and time, and gets as many new ones. Only `usage.api-counts` was written for them; their answers are not compared.',
      'Proved in each run: the same answer from slices and from all rows, and that slices of earlier runs were read.',
    ],
  };
}

function plot(data: RefreshesData, names: readonly string[]): string {
  const { stores } = data;
  const width = figureWidth / names.length;
  const times = stores.flatMap(({ queries }) =>
    queries.flatMap(({ sliced, whole, byHand, clickhouse }) =>
      [sliced, whole, byHand, clickhouse].flatMap((each) =>
        each === undefined ? [] : [each.quarter, each.threeQuarters],
      ),
    ),
  );
  const domain = logDomain(times);
  const sizes = stores.map(({ rows }) => rows);
  return figureSvg({
    height: 300,
    alternative: alternativeOf(data),
    panels: names.map((what, index) =>
      linePanel({
        ...{ x: index * width, y: 0, width, height: 300, labels: 70, heading: what },
        lines: [
          lineOf(data, what, ({ whole }) => whole, {
            ...{ colour: colours.other, label: 'all rows' },
            // Above that of the SQL by hand, which takes about as long.
            labelDown: -8,
          }),
          lineOf(data, what, ({ byHand }) => byHand, {
            ...{ colour: colours.second, label: 'by hand' },
            labelDown: 8,
          }),
          lineOf(data, what, ({ clickhouse }) => clickhouse, { colour: colours.third, label: 'ClickHouse' }),
          lineOf(data, what, ({ sliced }) => sliced, { colour: colours.gateway, label: 'slices' }),
        ].filter(({ points }) => points.length > 0),
        across: {
          ...{ type: 'log', domain: [Math.min(...sizes) / 1.3, Math.max(...sizes) * 1.3] },
          ...{ ticks: sizes, tickFormat: (rows) => `${rows / 1e6} M`, text: 'rows stored' },
        },
        up: {
          ...{ type: 'log', domain, ticks: logTicks(domain, 230), tickFormat: tickText },
          text: index === 0 ? 'milliseconds' : '',
        },
      }),
    ),
  });
}

type Query = RefreshesData['stores'][number]['queries'][number];

function lineOf(
  { stores }: RefreshesData,
  what: string,
  of: (query: Query) => Spread | undefined,
  look: Pick<Line, 'colour' | 'label' | 'labelDown'>,
): Line {
  const points = stores.flatMap(({ rows, queries }) =>
    queries
      .filter((query) => query.what === what)
      .flatMap((query) => {
        const spread = of(query);
        if (spread === undefined) return [];
        const { median, quarter, threeQuarters } = spread;
        return [{ x: rows, y: median, least: quarter, most: threeQuarters }];
      }),
  );
  return { points, ...look };
}

function alternativeOf({ stores }: RefreshesData): string {
  const texts = stores.map(
    ({ rows, queries }) =>
      `${rowsText(rows)} rows: ${queries.map(({ what, sliced, whole }) => `${what} ${msText(sliced.median)} from slices, ${msText(whole.median)} from all rows`).join(', ')}`,
  );
  return `Time of queries after new rows. ${texts.join('; ')}.`;
}
