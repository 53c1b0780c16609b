import type { Source, SourceColumn } from '../sources/source.ts';
import { shapeOfJson } from '../text/json-shape.ts';
import { DigitsNeeded, mayLoseDigits, parseWithDigits } from './json-number.ts';
import { recordEncoder } from './record-encoder.ts';
import { RowValidationError } from './row-validation-error.ts';

/**
 * The function that turns the text of one row, a JSON object, into the form that the store takes (see
 * `WholeRows`). It throws `RowValidationError` when the row doesn't fit the source. `timestamp` and `id` are never absent,
 * even where the schema would let them.
 */
export function rowEncoder(source: Source): (text: string) => string {
  const encode = recordEncoder(neededColumns(source));
  return (text) => withRow(text, encode);
}

/** The columns of a source as rows must have them. */
export function neededColumns({ columns }: Source): SourceColumn[] {
  return columns.map((column) =>
    /^(?:timestamp|id)$/i.test(column.name) ? { ...column, mode: 'REQUIRED' } : column,
  );
}

/** Does something with the row that a text is, its numbers with their digits where those count. */
export function withRow<T>(text: string, task: (row: unknown) => T): T {
  if (text.length > longText) checkShape(text);
  if (mayLoseDigits(text)) return task(parse(text, parseWithDigits));
  const row = parse(text, JSON.parse);
  try {
    return task(row);
  } catch (error) {
    if (error instanceof DigitsNeeded) return task(parse(text, parseWithDigits));
    throw error;
  }
}

function parse(text: string, parser: (text: string) => unknown): unknown {
  try {
    return parser(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new RowValidationError(`not JSON: ${error.message}`);
    if (error instanceof RangeError) throw new RowValidationError('nested too deeply');
    throw error;
  }
}

/** Characters up to which a text can be no trouble. */
const longText = 100_000;
/** BigQuery's limit on the nesting of a JSON value, and room for the records around it. */
const maxDepth = 600;
/** More, in one row, takes seconds in which nobody else is served. */
const maxValues = 250_000;

function checkShape(text: string): void {
  const { depth, values } = shapeOfJson(text);
  if (depth > maxDepth) throw new RowValidationError('nested too deeply');
  if (values > maxValues) throw new RowValidationError(`more than ${maxValues.toLocaleString('en')} values`);
}
