import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBScalarFunction,
  type DuckDBScalarFunctionInfo,
  DuckDBStructVector,
  type DuckDBType,
  type DuckDBVector,
  STRUCT,
} from '@duckdb/node-api';
import { Failure, TransientRefusal } from '../../../../sql/values/function-errors.ts';
import { raisedPrefix, raisedSuffix, transientPrefix } from '../../dialect/raised-error.ts';
import { bindConnection } from './calling-query.ts';

/** A function for {@link registerFallible}. */
interface FallibleFunction {
  readonly name: string;
  readonly parameterTypes: readonly DuckDBType[];
  readonly resultType: DuckDBType;
  /** Whether it knows its query without `callingQuery`. Otherwise, planning waits for a turn of the event loop. */
  readonly isUnbound?: boolean;
  /** Sets the results of a call's rows. What it throws is the query's error. It may ask for `callingQuery`. */
  readonly fill: (info: DuckDBScalarFunctionInfo, input: DuckDBDataChunk, results: DuckDBVector) => void;
}

const field = 'value';

/**
 * Registers a function that can fail, for all connections of an instance. Call it with {@link fallibleCall}.
 *
 * DuckDB 1.5.5 believes that no registered function fails, so it calls them for all entries of the dictionary of a stored
 * column or of a join's table. An error for a value that conditions exclude would fail the query, and show the value to
 * callers who may not see it. It doesn't do so with functions whose results are records: the value is the field of one.
 */
export function registerFallible(
  connection: DuckDBConnection,
  { name, parameterTypes, resultType, isUnbound = false, fill }: FallibleFunction,
): void {
  connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      ...{ name, parameterTypes, returnType: STRUCT({ [field]: resultType }) },
      ...(!isUnbound && { bindFunction: bindConnection }),
      mainFunction: (info, input, output) => {
        try {
          if (!(output instanceof DuckDBStructVector)) throw new TypeError('another vector than declared');
          fill(info, input, output.entryVectorAt(0));
          output.flush();
        } catch (error) {
          info.setError(raisedText(error));
        }
      },
    }),
  );
}

/** A call of a function as SQL. */
export function fallibleCall(name: string, args: readonly string[]): string {
  return `struct_extract(${name}(${args.join(', ')}), '${field}')`;
}

/** An error as text for DuckDB. Callers learn nothing about errors that are not a `Failure`, which are defects. */
function raisedText(error: unknown): string {
  const message = error instanceof Failure ? error.message : 'A function failed';
  return `${error instanceof TransientRefusal ? transientPrefix : raisedPrefix}${message}${raisedSuffix}`;
}
