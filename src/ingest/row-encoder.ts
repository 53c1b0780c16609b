import { shapeOfJson } from '../json-shape.ts';
import type { Source } from '../sources/source.ts';
import { DigitsNeeded, mayLoseDigits, parseWithDigits } from './json-number.ts';
import { Misfit } from './misfit.ts';
import { recordEncoder } from './record-encoder.ts';

/**
 * The function that turns the text of one row, a JSON object, into the form that the store takes (see
 * `RowBatch`). It throws `Misfit` when the row doesn't fit the source. `timestamp` and `id` are never absent,
 * even where the schema would let them.
 */
export function rowEncoder(source: Source): (text: string) => string {
  const encode = recordEncoder(
    source.columns.map((column) =>
      /^(?:timestamp|id)$/i.test(column.name) ? { ...column, mode: 'REQUIRED' } : column,
    ),
  );
  return (text) => {
    if (text.length > longText) checkShape(text);
    if (mayLoseDigits(text)) return encode(parse(text, parseWithDigits));
    const row = parse(text, JSON.parse);
    try {
      return encode(row);
    } catch (error) {
      if (error instanceof DigitsNeeded) return encode(parse(text, parseWithDigits));
      throw error;
    }
  };
}

function parse(text: string, parser: (text: string) => unknown): unknown {
  try {
    return parser(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Misfit(`not JSON: ${error.message}`);
    if (error instanceof RangeError) throw new Misfit('nested too deeply');
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
  if (depth > maxDepth) throw new Misfit('nested too deeply');
  if (values > maxValues) throw new Misfit(`more than ${maxValues.toLocaleString('en')} values`);
}
