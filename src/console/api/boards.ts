import * as z from 'zod/mini';

const texts = z.union([z.string(), z.array(z.string())]);

const called = {
  /** The name of an endpoint. A query without one is over all sources. */
  endpoint: z.optional(z.string()),
  parameters: z.optional(z.record(z.string(), texts)),
  sql: z.optional(z.string()),
};

const chart = z.object({
  type: z.enum(['bars', 'lines', 'area', 'number', 'table']),
  x: z.optional(z.string()),
  y: z.optional(z.array(z.string())),
  series: z.optional(z.string()),
});

/** From 1, in a grid of twelve columns. */
const place = z.object({ column: z.number(), row: z.number(), width: z.number(), height: z.number() });

const panel = z.object({
  title: z.string(),
  ...called,
  lql: z.optional(z.string()),
  chart: z.optional(chart),
  place: z.optional(place),
});

const variable = z.object({
  label: z.optional(z.string()),
  default: z.optional(z.string()),
  values: z.optional(z.array(z.string())),
  query: z.optional(z.object({ ...called, column: z.string() })),
});

const file = {
  title: z.string(),
  description: z.optional(z.string()),
  range: z.string(),
  refresh: z.optional(z.string()),
  variables: z.record(z.string(), variable),
};

/** A board as its file has it. */
export const boardFile = z.object({ ...file, panels: z.array(panel) });

const board = z.object({
  name: z.string(),
  ...file,
  panels: z.array(z.extend(panel, { callable: z.boolean() })),
  errors: z.optional(z.array(z.string())),
  /** The text of its file, for keys without restrictions. */
  text: z.optional(z.string()),
});

const summary = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  panels: z.number(),
  /** How many of the panels the key may call. */
  callable: z.number(),
});

const list = z.object({
  boards: z.array(summary),
  unavailable: z.optional(z.array(z.object({ name: z.string(), errors: z.array(z.string()) }))),
});

export type BoardFile = z.infer<typeof boardFile>;
export type Board = z.infer<typeof board>;
export type BoardPanel = z.infer<typeof panel>;
export type BoardChart = z.infer<typeof chart>;
export type BoardPlace = z.infer<typeof place>;
export type BoardVariable = z.infer<typeof variable>;
export type BoardSummary = z.infer<typeof summary>;
export type BoardList = z.infer<typeof list>;

/** The answer of `GET /api/boards`. */
export function parseBoards(json: unknown): BoardList {
  return list.parse(json);
}

/** The answer of `GET /api/boards/<name>`. */
export function parseBoard(json: unknown): Board {
  return board.parse(json);
}
