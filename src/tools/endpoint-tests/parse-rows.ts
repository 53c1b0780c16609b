import { idColumn } from '../../definitions/sources/row-key.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { IngestPart } from '../../engines/duckdb/store/insert/ingest-batch.ts';
import { idsOf } from '../../engines/duckdb/store/insert/row-keys.ts';
import type { Line } from '../../rows/ingest/body/lines.ts';
import { RowParser } from '../../rows/ingest/parse/row-parser.ts';

/** A row that an import would refuse. */
export interface RefusedRow {
  /** Its number among the rows, from 1; in a file, its line. */
  readonly number: number;
  /** Such as `metadata[0].status: expected INT64, got "abc"`. */
  readonly reason: string;
  /** The path to the value at fault, as far as it is known: `['metadata', 0, 'status']`. */
  readonly path: readonly (string | number)[];
}

/** Rows of a source, as an import reads them. */
export interface RowsOfSource {
  readonly source: Source;
  readonly parts: readonly IngestPart[];
  /** Empty if its rows have no ids. */
  readonly ids: readonly string[];
}

/** Reads lines of JSON as an import does. Returns the refused ones if there are any. */
export function parseRows(
  source: Source,
  lines: readonly Line[],
): RowsOfSource | { readonly refused: readonly RefusedRow[] } {
  const parser = new RowParser(source);
  const refused: RefusedRow[] = [];
  for (const line of lines) {
    const bad = parser.add(line);
    if (bad !== undefined) refused.push({ number: bad.line, reason: bad.reason, path: pathIn(bad.reason) });
  }
  if (refused.length > 0) return { refused };
  const parts = parser.take();
  const ids = idColumn(source) === undefined ? [] : parts.flatMap((part) => idsOf(source, part));
  return { source, parts, ids };
}

/** The rows of a list as lines. */
export function linesOfRows(rows: readonly unknown[]): Line[] {
  return rows.map((row, index) => ({ number: index + 1, text: JSON.stringify(row) }));
}

/** The first id that occurs twice. */
export function repeatedId(ids: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return ids.find((id) => seen.size === seen.add(id).size);
}

function pathIn(reason: string): (string | number)[] {
  const [, path = ''] = /^((?:[\w$-]+|\[\d+\])(?:\.[\w$-]+|\[\d+\])*): /.exec(reason) ?? [];
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([name, index]) =>
    index === undefined ? name : Number(index),
  );
}
