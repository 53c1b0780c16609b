import type { BoardChart, BoardFile, BoardPanel } from '../../api/boards.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import type { Call } from '../answer/answer.ts';
import type { ChartChoice } from '../chart/chart-choice.ts';
import { initialValues, rangeParameters } from '../parameters/parameter-values.ts';

/** A call as a panel. The parameters that bound its time follow the range of the board. */
export function panelOf(
  title: string,
  { values, query }: Pick<Call, 'values' | 'query'>,
  endpoint: Endpoint,
  chart: ChartChoice | 'table' | undefined,
): BoardPanel {
  const range = rangeParameters(endpoint.parameters);
  const given = Object.fromEntries(
    [...values].map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );
  const moving = range === undefined ? {} : { [range.start.name]: `\${from}`, [range.end.name]: `\${to}` };
  const parameters = { ...given, ...moving };
  return {
    title,
    ...(endpoint.name !== 'gateway.tables' && { endpoint: endpoint.name }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(query && { [query.language]: query.text }),
    ...(chart !== undefined && { chart: chart === 'table' ? { type: 'table' } : chartOf(chart) }),
  };
}

/** An endpoint as a panel, with the values of its examples. */
export function panelOfEndpoint(endpoint: Endpoint): BoardPanel {
  const values = initialValues(endpoint.parameters, new URLSearchParams());
  return panelOf(endpoint.name, { values }, endpoint, undefined);
}

/** The panel with the variables of a board in place of the values of parameters that have their names. */
export function withVariables(panel: BoardPanel, { variables }: Pick<BoardFile, 'variables'>): BoardPanel {
  const { parameters } = panel;
  if (parameters === undefined) return panel;
  const next = Object.entries(parameters).map(([name, value]) => [
    name,
    Object.hasOwn(variables, name) && typeof value === 'string' ? `\${${name}}` : value,
  ]);
  return { ...panel, parameters: Object.fromEntries(next) };
}

/** A chart's choice as a board's file has it. */
export function chartOf({ type, x, y, series }: ChartChoice): BoardChart {
  return {
    type,
    ...(x !== '' && type !== 'number' && { x }),
    ...(y.length > 0 && { y: [...y] }),
    ...(series !== undefined && type !== 'number' && { series }),
  };
}

/** What a chart draws for a panel. Undefined for tables, and where the chart is left to the columns. */
export function choiceOf(chart: BoardChart | undefined): ChartChoice | undefined {
  if (chart === undefined || chart.type === 'table') return undefined;
  const { type, x = '', y = [], series } = chart;
  return { type, x, y, ...(series !== undefined && { series }) };
}
