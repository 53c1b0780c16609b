import { quantile } from '../../measure.ts';
import type { Section } from '../page/section.ts';
import { type Dot, dotPanel, dotPanelHeight } from '../plots/dot-panel.ts';
import { figureSvg, figureWidth } from '../plots/figure.ts';
import { colours } from '../plots/theme.ts';
import { logDomain, tickText } from '../plots/ticks.ts';
import { quartilesOf, type Spread, scaled } from '../spread.ts';
import { asLongText, factorText, listText, msText, rangeText, rowsText } from '../words.ts';
import type { LatencyData } from './latency-data.ts';

type Store = LatencyData['stores'][number];
type Query = Store['queries'][number];

/** What the page says of calls that aren't cached. */
export function latencySection({ stores }: LatencyData): Section {
  const hasClickhouse = isBesideClickhouse(stores);
  const ifClickhouse = (text: string) => (hasClickhouse ? text : '');
  return {
    shown: `The time of calls that are not cached, from their parameters to decoded rows, as a multiple of the time of SQL that an expert of DuckDB writes for the same rows over the flat table.${ifClickhouse(' ClickHouse has the same rows.')}`,
    plot: { svg: plot(stores), alternative: alternativeOf(stores) },
    results: stores.map(
      ({ rows, queries }) =>
        `Over ${rowsText(rows)} rows, the median call takes ${asLongText(medianOf(queries))} as the expert's SQL: ${nearest(queries)}.`,
    ),
    lost: stores.flatMap((store) => [...lostToDuckdb(store), ...lostToClickhouse(store)]),
    table: {
      headings: [
        'Query',
        'Rows stored',
        'Gateway',
        'of it the engine',
        'By hand',
        'Ratio (quartiles)',
        ...(hasClickhouse ? ['ClickHouse'] : []),
      ],
      rows: stores.flatMap(({ rows, queries }) =>
        queries.map((one) => [
          one.what,
          rowsText(rows),
          msText(one.gateway.median),
          msText(one.engineMs),
          msText(one.byHandMs),
          rangeText(quartilesOf(ratio(one)), factorText),
          ...(one.clickhouseMs === undefined ? [] : [msText(one.clickhouseMs)]),
        ]),
      ),
    },
    method: [
      `All sides run in turn, DuckDB's in one process and in the same store; each query ran ${runsText(stores)} times. The expert's SQL also runs in a DuckDB with the same number of threads and otherwise default settings, and the faster of its two medians counts. Dots are medians, lines go from the first to the third quartile of the gateway's runs.`,
      ...(hasClickhouse
        ? [
            'ClickHouse runs in a process of its own (npm `chdb`), which measures from the SQL to parsed rows. Its table has the columns of the flat table, is ordered by project and time, and is merged into one part. It gives leaves instead of records.',
          ]
        : []),
      `Proved in each run: the same rows on all sides, the same statement for DuckDB as in the first run, and one run of the engine for each call.${ifClickhouse(' Of ClickHouse, times, records and quantiles are not compared.')}`,
    ],
  };
}

function lostToDuckdb({ rows, queries }: Store): string[] {
  const slower = queries.filter((one) => ratio(one).median > 1);
  const worst = slower.toSorted((a, b) => ratio(b).median - ratio(a).median)[0];
  if (worst === undefined) return [];
  const added = slower.map(({ gateway, byHandMs }) => gateway.median - byHandMs);
  return [
    `Over ${rowsText(rows)} rows, the expert's SQL is faster in ${slower.length} of ${queries.length} queries, by a median of ${msText(quantile(added, 0.5))} and most, relatively, in "${worst.what}": ${factorText(ratio(worst).median)}, or ${msText(worst.gateway.median)} instead of ${msText(worst.byHandMs)}.`,
  ];
}

function lostToClickhouse({ rows, queries }: Store): string[] {
  const both = queries.flatMap(({ what, gateway: { median: ms }, clickhouseMs }) =>
    clickhouseMs === undefined ? [] : [{ what, ms, clickhouseMs, times: ms / clickhouseMs }],
  );
  const slower = both.filter(({ times }) => times > 1);
  const worst = slower.toSorted((a, b) => b.times - a.times)[0];
  if (worst === undefined) return [];
  return [
    `Over ${rowsText(rows)} rows, ClickHouse is faster in ${slower.length} of ${both.length} queries, most, relatively, in "${worst.what}": ${factorText(worst.times)}, or ${msText(worst.ms)} instead of ${msText(worst.clickhouseMs)}.`,
  ];
}

/** Reports of earlier versions have no ClickHouse. */
function isBesideClickhouse(stores: readonly Store[]): boolean {
  return stores.every(({ queries }) => queries.every(({ clickhouseMs }) => clickhouseMs !== undefined));
}

function ratio({ gateway, byHandMs }: Query): Spread {
  return scaled(gateway, 1 / byHandMs);
}

function medianOf(queries: readonly Query[]): number {
  return quantile(
    queries.map((one) => ratio(one).median),
    0.5,
  );
}

function nearest(queries: readonly Query[]): string {
  const ratios = queries.map((one) => ratio(one).median);
  return `${factorText(Math.min(...ratios))} at best, ${factorText(Math.max(...ratios))} at worst`;
}

function runsText(stores: readonly Store[]): string {
  const runs = stores.flatMap(({ queries }) => queries.map((one) => one.runs));
  const [least, most] = [Math.min(...runs), Math.max(...runs)];
  return least === most ? String(least) : `${least} to ${most}`;
}

function plot(stores: readonly Store[]): string {
  const names = 220;
  const rows = stores[0]?.queries.map(({ what }) => what) ?? [];
  const all = stores.flatMap(({ queries }) =>
    queries.flatMap((one) => [
      ...[ratio(one).quarter, ratio(one).threeQuarters],
      ...clickhouseDot(one).map(({ value }) => value),
    ]),
  );
  const [least, most] = logDomain([...all, 1], 1.15);
  // Room for the labels behind the dots, which are wide in narrow panels.
  const domain = [least, most * (most / least) ** (stores.length * 0.09)] as const;
  const width = (figureWidth - names - 8) / stores.length;
  return figureSvg({
    height: dotPanelHeight(rows.length) + 22,
    alternative: alternativeOf(stores),
    panels: stores.map((store, index) =>
      dotPanel({
        x: index === 0 ? 0 : names + 8 + index * width - 8,
        y: 0,
        width: index === 0 ? names + 8 + width : width + 8,
        heading: `${rowsText(store.rows)} rows`,
        dots: store.queries.flatMap((query) => [...clickhouseDot(query), dotOf(query)]),
        ...{ rows, domain, reference: 1, names: index === 0 ? names : 0 },
        tickFormat: (value) => `${tickText(value)}×`,
        axis:
          index === 0
            ? `time as a multiple of the expert's; left of 1: faster${isBesideClickhouse(stores) ? '; grey: ClickHouse' : ''}`
            : '',
      }),
    ),
  });
}

function dotOf(query: Query): Dot {
  const { median, quarter, threeQuarters } = ratio(query);
  return {
    ...{ row: query.what, value: median, least: quarter, most: threeQuarters },
    ...{ colour: colours.gateway, label: factorText(median), side: 'right' },
  };
}

/** ClickHouse as a multiple of the expert's time. */
function clickhouseDot({ what, byHandMs, clickhouseMs }: Query): Dot[] {
  if (clickhouseMs === undefined) return [];
  const value = clickhouseMs / byHandMs;
  return [{ row: what, value, least: value, most: value, colour: colours.other, label: '', side: 'right' }];
}

function alternativeOf(stores: readonly Store[]): string {
  const texts = stores.map(
    ({ rows, queries }) =>
      `${rowsText(rows)} rows: ${listText(queries.map((one) => `${one.what} ${factorText(ratio(one).median)}`))}`,
  );
  return `Time of uncached calls as a multiple of an expert's SQL. ${texts.join('. ')}.`;
}
