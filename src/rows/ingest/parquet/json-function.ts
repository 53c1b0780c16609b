import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBScalarFunction,
  type DuckDBVector,
  VARCHAR,
} from '@duckdb/node-api';
import { parseWithDigits } from '../../../base/text/json-number.ts';
import { RowValidationError } from '../encode/row-validation-error.ts';
import { storedJson as storedText } from '../encode/stored-json.ts';

const name = 'gateway_json_of_file';

/** Rows with longer texts are checked one by one, which counts their values. */
const maxCharacters = 10_000;

/** A JSON text of a file in the store's form, as SQL; NULL if it is invalid, JSON's null, or long. */
export function storedJson(text: string): string {
  return `${name}(${text})`;
}

/** Registers the function of `storedJson` for all connections of a database. Repeating it does no harm. */
export function registerStoredJson(connection: DuckDBConnection): void {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      parameterTypes: [VARCHAR],
      returnType: VARCHAR,
      mainFunction: (_, input, output) => fill(input, output),
    }),
  );
}

function fill(input: DuckDBDataChunk, output: DuckDBVector): void {
  const texts = input.getColumnVector(0);
  for (let row = 0; row < input.rowCount; row++) {
    const text = texts.getItem(row);
    output.setItem(row, typeof text === 'string' ? stored(text) : null);
  }
  output.flush();
}

function stored(text: string): string | null {
  if (text.length > maxCharacters) return null;
  try {
    const value = parseWithDigits(text);
    return value === null ? null : storedText(value);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError || error instanceof RowValidationError)
      return null;
    throw error;
  }
}
