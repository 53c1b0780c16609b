import { z } from 'zod';
import { builtInNames } from './placeholders.ts';

/** As the console's charts have them. A table shows all columns. */
export const chartTypes = ['bars', 'lines', 'area', 'number', 'table'] as const;

/** As wide as the grid of a board is. */
export const gridColumns = 12;
const maxRows = 1_000;
const maxPanels = 50;

const text = (maximum: number) => z.string().min(1).max(maximum);

/** A value as a parameter takes it. Numbers keep their digits: they are read as texts. */
const value = z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]);

const parameters = z
  .record(z.string(), z.union([value, z.array(value)]))
  .describe(
    'Values of the parameters. In braces after a dollar sign, from, to, step, days and variables stand for what is chosen.',
  );

/** What is called: an endpoint, a query over the tables of an endpoint, or a query over all sources. */
const called = {
  endpoint: text(200).optional().describe('The name of an endpoint.'),
  parameters: parameters.optional(),
  sql: text(100_000)
    .optional()
    .describe('A query over the tables of the endpoint or, without one, over all sources.'),
};

const range = z
  .string()
  .regex(
    /^([1-9]\d{0,6}[mhd]|today|yesterday|this-week|last-week|this-month|last-month|\d{4}-\d\d-\d\dT[\d:.]+Z\/\d{4}-\d\d-\d\dT[\d:.]+Z)$/,
    'expected a range such as 15m, 24h, 7d, today, yesterday, this-week, last-month, or two times as 2026-12-01T00:00:00Z/2026-12-02T00:00:00Z',
  );

const refresh = z
  .string()
  .regex(
    /^(live|([5-9]|[1-9]\d{1,3})s|[1-9]\d{0,2}m)$/,
    'expected live, or a time of 5s or more such as 30s or 5m',
  );

const variable = z.strictObject({
  label: text(100).optional().describe('Stands at the choice of its value, in place of the name.'),
  default: value.optional().describe('The value until another one is chosen.'),
  values: z.array(value).min(1).max(1_000).optional().describe('The values to choose from.'),
  query: z
    .strictObject({ ...called, column: text(300).describe('The column with the values.') })
    .optional()
    .describe('An endpoint or a query whose rows have the values to choose from.'),
});

const chart = z.strictObject({
  type: z.enum(chartTypes).describe('How it is drawn.'),
  x: text(300).optional().describe('The column of times or categories.'),
  y: z.array(text(300)).max(50).optional().describe('Columns of numbers. Without them, rows are counted.'),
  series: text(300).optional().describe('The column whose values are series of their own.'),
});

const place = z.strictObject({
  column: z.int().min(1).max(gridColumns).describe('The first of its 12 columns, from 1.'),
  row: z.int().min(1).max(maxRows).describe('The first of its rows, from 1.'),
  width: z.int().min(1).max(gridColumns).describe('How many columns it covers.'),
  height: z.int().min(1).max(50).describe('How many rows of 80 pixels it covers.'),
});

const panel = z.strictObject({
  title: text(200).describe('Stands above the panel.'),
  ...called,
  lql: text(100_000)
    .optional()
    .describe('An LQL query over the tables of the endpoint, or over all sources.'),
  chart: chart.optional().describe('Without it, the chart that suits the columns best.'),
  place: place.optional().describe('Without it, below the panel before.'),
});

/** The address of a board's page has these beside its variables. */
const reservedNames = [...builtInNames, 'range', 'refresh'];

const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'expected letters, digits and underscores')
  .refine((name) => !reservedNames.includes(name), `${reservedNames.join(', ')} have meanings of their own`);

/** What a board's file contains. */
export const boardFile = z.strictObject({
  title: text(200).describe('Stands above the board.'),
  description: z.string().max(2_000).optional().describe('What the board is for.'),
  range: range.default('24h').describe('The range of time until another one is chosen.'),
  refresh: refresh.optional().describe('How often panels load again: `live` whenever their rows change.'),
  variables: z.record(variableName, variable).default({}).describe('What is chosen above the panels.'),
  panels: z.array(panel).max(maxPanels).default([]).describe('The charts and tables.'),
});

/** A board as its file has it, with the defaults. */
export type BoardFile = z.output<typeof boardFile>;
export type BoardPanel = BoardFile['panels'][number];
export type VariableQuery = NonNullable<BoardFile['variables'][string]['query']>;
