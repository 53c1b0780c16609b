import { z } from 'zod';
import { memoized } from '../../../base/async/memoized.ts';
import { tableField } from '../../../definitions/sources/table-field.ts';
import { type Column, formatType, type ScalarType, type SqlType } from '../../../sql/values/type.ts';
import type { Row, Value } from '../../../sql/values/value.ts';
import { AnswerError } from './answer-error.ts';
import { columnPath, resultDrift } from './result-drift.ts';
import { scalarReaders } from './scalar-readers.ts';

type Decoder = (cell: unknown) => Value;

const tableSchema = z.object({ fields: z.array(tableField) });

/**
 * Returns a decoder from the rows of a response (`{f: [{v: ...}]}`) to values of the columns' types. For a row of
 * another form, the decoder throws an AnswerError naming the column.
 *
 * @param columns the columns that the analyzer expects
 * @param schema the response's schema (`TableSchema`)
 * @throws AnswerError when the response has other columns
 */
export function rowDecoder(columns: readonly Column[], schema: unknown): (row: unknown) => Row {
  const parsed = tableSchema.safeParse(schema);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AnswerError(`the schema is malformed: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  const drift = resultDrift(columns, parsed.data.fields);
  if (drift.length > 0) throw new AnswerError(drift.join('; '));
  return decoderOfColumns(columns);
}

/** Built once for the same columns. */
const decoderOfColumns = memoized((columns: readonly Column[]) => recordDecoder(columns, 'the row', ''));

/** The decoder of a row, or of a record in one. `whole` is its name in messages, `within` the path to it. */
function recordDecoder(
  columns: readonly Column[],
  whole: string,
  within: string,
): (record: unknown) => readonly Value[] {
  const paths = columns.map(({ name }, index) => columnPath(within, name, index));
  const decoders = columns.map(({ type }, index) => decoderOf(type, paths[index] ?? ''));
  return (record) => {
    const cells = isObject(record) ? record.f : undefined;
    if (!Array.isArray(cells)) throw new AnswerError(`${whole} has no cells`);
    if (cells.length !== decoders.length) {
      throw new AnswerError(`${whole} has ${cells.length} cells, not ${decoders.length}`);
    }
    return decoders.map((decode, index) => decode(content(cells[index], paths[index] ?? '')));
  };
}

/** Decodes a cell. A NULL is explicit. */
function content(cell: unknown, path: string): unknown {
  if (!isObject(cell) || cell.v === undefined) throw new AnswerError(`${path} is missing`);
  return cell.v;
}

function decoderOf(type: SqlType, path: string): Decoder {
  switch (type.kind) {
    case 'ARRAY':
      return arrayDecoder(decoderOf(type.element, path), path);
    case 'STRUCT': {
      const decode = recordDecoder(type.fields, path, `${path}.`);
      return (cell) => (cell === null ? null : decode(cell));
    }
    default:
      return scalarDecoder(type, path);
  }
}

/** BigQuery's responses contain no NULL arrays: those are empty. */
function arrayDecoder(decode: Decoder, path: string): Decoder {
  return (cell) => {
    if (cell === null) return [];
    if (!Array.isArray(cell)) throw new AnswerError(`${path} is not a list`);
    return cell.map((element) => decode(content(element, path)));
  };
}

function scalarDecoder(type: ScalarType, path: string): Decoder {
  const read = scalarReaders[type.kind];
  return (cell) => {
    if (cell === null) return null;
    const value = read(cell);
    if (value === undefined)
      throw new AnswerError(`${path} has a value that is not of type ${formatType(type)}`);
    return value;
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
