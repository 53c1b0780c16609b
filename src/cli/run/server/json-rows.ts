import { CommandError } from '../../../command-failures/command-error.ts';
import type { TextTable } from '../table/result-table.ts';

/** A number as it was written: JavaScript's own have too few digits for INT64. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type JsonRow = Readonly<Record<string, unknown>>;

/** Node has `JSON.parse` with the source of a value, and `JSON.rawJSON`, which TypeScript's library doesn't know yet. */
const json = JSON as unknown as {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
};

/** The rows of a body of JSON lines. @throws CommandError */
export function parseJsonRows(body: string): JsonRow[] {
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const row = parsedRow(line);
      if (row === undefined) throw new CommandError('The gateway answers with something else than rows.');
      return row;
    });
}

function parsedRow(line: string): JsonRow | undefined {
  try {
    const row = json.parse(line, (_, value, { source }) =>
      typeof value === 'number' && source !== undefined ? new WrittenNumber(source) : value,
    );
    return typeof row === 'object' && row !== null && !Array.isArray(row) ? { ...row } : undefined;
  } catch {
    return undefined;
  }
}

/** Rows as texts. A column is one of numbers if all its values are; NULL is none. */
export function tableOfLines(rows: readonly JsonRow[]): TextTable {
  const names = Object.keys(rows[0] ?? {});
  const isNumber = (name: string) => {
    const values = rows.map((row) => row[name]).filter((value) => value !== null);
    return values.length > 0 && values.every((value) => value instanceof WrittenNumber);
  };
  return {
    columns: names.map((name) => ({ name, isNumber: isNumber(name) })),
    rows: rows.map((row) => names.map((name) => textOf(row[name]))),
  };
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof WrittenNumber) return value.text;
  return JSON.stringify(value, (_, each) => (each instanceof WrittenNumber ? json.rawJSON(each.text) : each));
}
