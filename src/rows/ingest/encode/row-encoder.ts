import { DigitsNeeded, mayLoseDigits, parseWithDigits } from '../../../base/text/json-number.ts';
import { shapeOfJson } from '../../../base/text/json-tokens.ts';
import { idColumn, type KeyedSource, timeColumn } from '../../../definitions/sources/row-key.ts';
import type { SourceColumn } from '../../../definitions/sources/source.ts';
import { elementType } from '../../../sql/values/type.ts';
import { RowValidationError } from './row-validation-error.ts';

/** Whether one of the columns or their fields is JSON, whose numbers and repeated members `JSON.parse` doesn't keep. */
export function needsExactRows(columns: readonly SourceColumn[]): boolean {
  return columns.some(
    ({ type, fields }) =>
      (elementType(type).kind === 'JSON' && fields.length === 0) || needsExactRows(fields),
  );
}

/** The columns of a source, as required of rows: those that order and identify them are. */
export function neededColumns(source: KeyedSource): SourceColumn[] {
  const [time, id] = [timeColumn(source), idColumn(source)];
  return source.columns.map((column) =>
    column === time || column === id ? { ...column, mode: 'REQUIRED' } : column,
  );
}

/** Shorter texts need no check, in characters. */
const longText = 100_000;

/**
 * Processes the row of a text, its numbers with their digits if necessary.
 *
 * @param isExact whether the row is to be as `parseWithDigits` reads it in any case: see `needsExactRows`
 */
export function withRow<T>(text: string, task: (row: unknown) => T, isExact = false): T {
  if (text.length > longText) checkShape(text);
  if (isExact || mayLoseDigits(text)) return task(parse(text, parseWithDigits));
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
    if (error instanceof SyntaxError)
      throw new RowValidationError(`not JSON: ${jsonFaultText(error)}`, 'json');
    if (error instanceof RangeError) throw new RowValidationError('nested too deeply', 'limit');
    throw error;
  }
}

/** What is wrong with the JSON of a row, at which of its characters. The error's line would seem to be that of the file. */
export function jsonFaultText({ message }: SyntaxError): string {
  return message
    .replace(/ \(line \d+ column \d+\)$/, '')
    .replace(/(?: in JSON)? at position (\d+)$/, (_, index) => ` at character ${Number(index) + 1}`);
}

/** BigQuery's limit on the nesting of a JSON value, plus the records around it. */
export const maxLevels = 600;
/** More values in one row would take seconds and block other requests. */
const maxValues = 250_000;

function checkShape(text: string): void {
  const { depth, values } = shapeOfJson(text);
  if (depth > maxLevels) throw new RowValidationError('nested too deeply', 'limit');
  if (values > maxValues)
    throw new RowValidationError(`more than ${maxValues.toLocaleString('en')} values`, 'limit');
}
