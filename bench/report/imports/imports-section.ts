import type { Section } from '../page/section.ts';
import { barPanel, barPanelHeight } from '../plots/bar-panel.ts';
import { figureSvg, figureWidth } from '../plots/figure.ts';
import { colours } from '../plots/theme.ts';
import { tickText } from '../plots/ticks.ts';
import { type Spread, scaled, spreadOf } from '../spread.ts';
import { countText, factorText, megabytesText, msText, rangeText, rowsText } from '../words.ts';
import type { ImportsData, ImportWay } from './imports-data.ts';

const names: Readonly<Record<ImportWay, string>> = {
  read_json: "DuckDB's read_json",
  ndjson: 'import of NDJSON',
  parquet: 'import of Parquet',
  collectors: 'collectors by HTTP',
};

/** What the page says of rows that are stored. */
export function importsSection(data: ImportsData): Section {
  const all = data.ways.map(({ way, rowsPerSecond }) => ({ way, rate: spreadOf(rowsPerSecond) }));
  const rateOf = (way: ImportWay) => all.find((one) => one.way === way)?.rate ?? spreadOf([]);
  const ratio = (way: ImportWay) => scaled(rateOf(way), 1 / rateOf('read_json').median);
  const slower = all.filter(({ way }) => way !== 'read_json' && ratio(way).median < 1);
  const faster = all.filter(({ way }) => way !== 'read_json' && ratio(way).median >= 1);
  const [p50, p99] = [spreadOf(data.acknowledgedP50), spreadOf(data.acknowledgedP99)];
  return {
    shown: `Rows per second into a new store, as a part of those of DuckDB's own \`CREATE TABLE … AS SELECT … FROM read_json(…)\` for the same ${rowsText(data.rows)} rows (${megabytesText(data.bytes)} of NDJSON).`,
    plot: {
      svg: plot(
        all.map(({ way }) => way),
        rateOf,
        ratio,
      ),
      alternative: alternativeOf(all, ratio),
    },
    results: [
      `An import of NDJSON checks and flattens every row and reaches ${factorText(ratio('ndjson').median)} the speed of \`read_json\`, which does neither${data.peakBytes === null ? '' : `; it takes at most ${megabytesText(data.peakBytes)} of memory`}.`,
      `${data.collectors} collectors that post batches of ${data.rowsPerRequest} rows get ${countText(rateOf('collectors').median)} rows per second acknowledged, each batch within ${msText(p50.median)} (p50) or ${msText(p99.median)} (p99); ${data.refusals === 0 ? 'none was refused' : `${countText(data.refusals)} were refused and sent again`}.`,
      ...faster.map(
        ({ way }) => `${names[way]}: ${factorText(ratio(way).median)} the speed of \`read_json\`.`,
      ),
    ],
    lost: slower.map(
      ({ way, rate }) =>
        `\`read_json\` is ${factorText(1 / ratio(way).median)} as fast as ${way === 'collectors' ? 'collectors' : `an ${names[way]}`}: ${countText(rateOf('read_json').median)} rows per second instead of ${countText(rate.median)}.`,
    ),
    table: {
      headings: ['Way', 'Rows/s', 'of read_json'],
      rows: all.map(({ way, rate }) => [
        names[way],
        rangeText(rate, countText),
        factorText(ratio(way).median),
      ]),
    },
    method: [
      `\`read_json\` gets the source's column types, makes a table on disk in a DuckDB with default settings, and ends with a checkpoint. Imports are the command \`import\` with its start. Collectors send to a started gateway for ${data.seconds} s, each the next batch as soon as one is acknowledged: p99 ${rangeText(p99, msText)}. All in turn; numbers are medians of ${data.ways[0]?.rowsPerSecond.length ?? 0} rounds with the lowest and highest one.`,
      'Proved: after each import, the store has as many rows as the file has lines, with as many different ids; after the collectors, it has each acknowledged row once.',
    ],
  };
}

function plot(
  ways: readonly ImportWay[],
  rateOf: (way: ImportWay) => Spread,
  ratio: (way: ImportWay) => Spread,
): string {
  const most = Math.max(1, ...ways.map((way) => ratio(way).most)) * 1.02;
  const bars = ways
    .toSorted((a, b) => ratio(b).median - ratio(a).median)
    .map((way) => ({
      row: names[way],
      value: ratio(way).median,
      least: ratio(way).least,
      most: ratio(way).most,
      colour: way === 'read_json' ? colours.other : colours.gateway,
      label: factorText(ratio(way).median),
      cells: [countText(rateOf(way).median)],
    }));
  return figureSvg({
    height: barPanelHeight(bars.length),
    alternative: alternativeOf(
      ways.map((way) => ({ way })),
      ratio,
    ),
    panels: [
      barPanel({
        ...{
          x: 0,
          y: 0,
          width: figureWidth,
          names: 150,
          labels: 70,
          bars,
          most,
          reference: 1,
          columns: ['rows/s'],
        },
        tickFormat: (value) => `${tickText(value)}×`,
        axis: "rows per second, as a multiple of read_json's",
      }),
    ],
  });
}

function alternativeOf(
  all: readonly { readonly way: ImportWay }[],
  ratio: (way: ImportWay) => Spread,
): string {
  const texts = all.map(({ way }) => `${names[way]} ${factorText(ratio(way).median)}`);
  return `Rows per second as a multiple of DuckDB's read_json. ${texts.join('; ')}.`;
}
