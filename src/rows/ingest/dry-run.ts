import { parseWithDigits } from '../../base/text/json-number.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { isObject } from './encode/record-members.ts';
import { BadRows } from './parse/bad-rows.ts';
import { RowPreparation } from './parse/row-preparation.ts';
import { type BadRowHandling, withoutBadRows } from './parse/without-bad-rows.ts';
import { RepeatedIds } from './repeated-ids.ts';
import type { RowInput } from './row-file.ts';
import { parsedRows, textsOf } from './row-target.ts';

/** What an import would do, as far as it can be told without the store. */
export interface DryRun {
  readonly rows: number;
  /** Rows, among these, whose id another row of the input has. */
  readonly repeated: number;
  readonly badRows: BadRows;
  /** The first valid rows as JSON, as they would be stored, but without ids that are made for them. */
  readonly first: readonly string[];
}

const shownRows = 3;

/** Reads and checks rows, and stores none. */
export async function dryRun(
  source: Source,
  input: RowInput,
  handling: Pick<BadRowHandling, 'onFinerTimes'>,
): Promise<DryRun> {
  const badRows = new BadRows();
  const first: string[] = [];
  const ids = new RepeatedIds(source);
  let rows = 0;
  const preparation = new RowPreparation(source, undefined, input.zone);
  for await (const sorted of withoutBadRows(parsedRows(input, source), badRows, {
    ...handling,
    skipBadRows: true,
  })) {
    for (const part of sorted.chunk.rows) {
      rows += part.rows;
      ids.add(part);
    }
    for (const { number, text } of first.length < shownRows ? textsOf(sorted) : []) {
      const row = parseWithDigits(text);
      if (first.length >= shownRows || !isObject(row)) break;
      preparation.prepare(row, number, text);
      first.push(JSON.stringify(row));
    }
  }
  return { rows, repeated: ids.count, badRows, first };
}
