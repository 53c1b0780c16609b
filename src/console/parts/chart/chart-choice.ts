/** Bars and areas over time are stacked. A number is the sum of each column of numbers. */
export const chartTypes = ['bars', 'lines', 'area', 'number'] as const;
export type ChartType = (typeof chartTypes)[number];

/** Which columns a chart shows, and how. */
export interface ChartChoice {
  readonly type: ChartType;
  /** The column of times or categories. A number has none: it is empty then. */
  readonly x: string;
  /** Columns of numbers. None: rows are counted. */
  readonly y: readonly string[];
  /** The column whose values are series of their own. */
  readonly series?: string | undefined;
}

/** A chart has at most this many columns. Links can be written by hand. */
const maxColumns = 50;

/**
 * The choice as pairs of an address: `chart.type=bars&chart.x=hour&chart.y=rows&chart.series=area`. Names of parameters have no
 * dots, so the pairs can stand beside those of an endpoint's parameters.
 */
export function chartPairs({ type, x, y, series }: ChartChoice): [name: string, value: string][] {
  return [
    ['chart.type', type],
    ...(x === '' ? [] : [['chart.x', x] satisfies [string, string]]),
    ...y.map((column): [string, string] => ['chart.y', column]),
    ...(series === undefined ? [] : [['chart.series', series] satisfies [string, string]]),
  ];
}

/**
 * The choice of an address. Whether there are such columns is known where there are rows.
 *
 * @returns undefined for an address without a chart, and for one that {@link chartPairs} can't have written
 */
export function chartOf(values: URLSearchParams): ChartChoice | undefined {
  const type = chartTypes.find((one) => one === values.get('chart.type'));
  const x = values.get('chart.x') ?? '';
  const y = [...new Set(values.getAll('chart.y'))];
  const series = values.get('chart.series') ?? undefined;
  if (type === undefined || (x === '' && type !== 'number')) return undefined;
  if (y.includes('') || y.length > maxColumns || series === '') return undefined;
  return { type, x, y, ...(series !== undefined && { series }) };
}
