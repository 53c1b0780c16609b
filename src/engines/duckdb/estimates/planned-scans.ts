import { z } from 'zod';

/** A scan of a table in DuckDB's plan of a statement. */
export interface PlannedScan {
  /** The table's whole name. */
  readonly table: string;
  /** The columns that it hands on. Names with line breaks are in parts. */
  readonly columns: readonly string[];
  /** The conditions with which it skips rows. All of them are true of the rows that it hands on. */
  readonly filters: readonly string[];
  /** Whether each of them is in one line, so that they can't be taken for others. */
  readonly areClear: boolean;
  /** Whether it is repeated, as often as there are new rows of a recursive query. */
  readonly isRepeated: boolean;
}

/** One text is written as it is, several as a list. A text with line breaks has become several, too. */
const texts = z
  .union([z.string().transform((text) => [text]), z.array(z.string())])
  .default([])
  .transform((parts) => parts.join('\n'));

interface PlanNode {
  readonly name: string;
  readonly children: readonly PlanNode[];
  readonly extra_info: { readonly Table?: string | undefined; Projections: string; Filters: string };
}

const planNode: z.ZodType<PlanNode> = z.object({
  name: z.string(),
  children: z.array(z.lazy(() => planNode)),
  extra_info: z.object({ Table: z.string().optional(), Projections: texts, Filters: texts }),
});

const plan = z.array(planNode);

/**
 * The scans of tables in a plan.
 *
 * @param json what DuckDB's `EXPLAIN (FORMAT json)` returns
 * @param areClear whether the statement has no line break
 */
export function plannedScans(json: string, areClear: boolean): PlannedScan[] {
  const scans = plan.parse(JSON.parse(json)).flatMap((node) => scansOf(node, false));
  return scans.map((scan) => ({ ...scan, areClear }));
}

function scansOf(
  { name, children, extra_info: info }: PlanNode,
  isRepeated: boolean,
): Omit<PlannedScan, 'areClear'>[] {
  const isRecursive = /^REC\w*CTE$/.test(name);
  const below = children.flatMap((child, i) => scansOf(child, isRepeated || (isRecursive && i > 0)));
  if (info.Table === undefined) return below;
  const columns = info.Projections === '' ? [] : info.Projections.split('\n');
  return [{ table: info.Table, columns, filters: unquotedLines(info.Filters), isRepeated }, ...below];
}

/** The lines of a text. Line breaks within quotes, as in a caller's value, end none. */
function unquotedLines(text: string): string[] {
  const lines = [''];
  let isQuoted = false;
  for (const character of text) {
    if (character === "'") isQuoted = !isQuoted;
    if (character === '\n' && !isQuoted) lines.push('');
    else lines[lines.length - 1] += character;
  }
  return lines.filter((line) => line !== '');
}

/** The times that a scan reads, in microseconds since the epoch, both included. Undefined at an end without a bound. */
export interface TimeBounds {
  readonly from: bigint | undefined;
  readonly to: bigint | undefined;
}

/** What a run adds to the filters of a scan when it has seen some rows. */
const dynamic = /^optional: Dynamic Filter \([^()']*\)$/;
/** Filters on the time that are written like this skip row groups. */
const bound = /^(>=|<=|>|<|=)'([^']*)'::(?:TIMESTAMP|DATE)$/;

/**
 * The bounds of a column's times in the filters of a scan. A filter in any other form is none.
 *
 * @param time the name of the column
 */
export function timeBoundsOf(
  { filters, areClear }: Pick<PlannedScan, 'filters' | 'areClear'>,
  time: string,
): TimeBounds {
  let [from, to]: [bigint | undefined, bigint | undefined] = [undefined, undefined];
  for (const filter of areClear ? filters : []) {
    const parts = filter
      .split(' AND ')
      .filter((part) => !dynamic.test(part))
      .map((part) => boundOf(part, time));
    if (parts.includes(undefined)) continue;
    for (const part of parts) {
      if (part === undefined) continue;
      const { operator, micros } = part;
      if (operator !== '<' && operator !== '<=') from = from === undefined || micros > from ? micros : from;
      if (operator !== '>' && operator !== '>=') to = to === undefined || micros < to ? micros : to;
    }
  }
  return { from, to };
}

function boundOf(text: string, time: string) {
  if (text.slice(0, time.length).toLowerCase() !== time.toLowerCase()) return undefined;
  const [, operator, value] = bound.exec(text.slice(time.length)) ?? [];
  const micros = value === undefined ? undefined : microsOf(value);
  return operator === undefined || micros === undefined ? undefined : { operator, micros };
}

const written = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?$/;

/** A time as DuckDB writes it, in microseconds since the epoch. Undefined for one that is written otherwise. */
function microsOf(text: string): bigint | undefined {
  const [, day, time = '00:00:00', fraction = ''] = written.exec(text) ?? [];
  const milliseconds = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(milliseconds)
    ? undefined
    : BigInt(milliseconds) * 1000n + BigInt(fraction.padEnd(6, '0'));
}
