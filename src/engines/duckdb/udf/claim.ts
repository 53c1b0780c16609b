import {
  BIGINT,
  DuckDBBigIntVector,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBScalarFunction,
  type DuckDBScalarFunctionInfo,
  type DuckDBVector,
} from '@duckdb/node-api';
import { memoryExceeded } from '../memory-guard.ts';
import { isOver } from '../running-queries.ts';
import { bindConnection, callingQuery } from './calling-query.ts';
import { hasEnded, TransientRefusal } from './failure.ts';
import type { FunctionContext, Room } from './js-function.ts';
import { raisedText } from './raised-text.ts';

const name = 'gateway_claim';
const safeVariant = `${name}_or_null`;

type Refuse = (info: DuckDBScalarFunctionInfo, output: DuckDBBigIntVector, rows: number) => void;

const fail: Refuse = (info) => info.setError(raisedText(new TransientRefusal(memoryExceeded)));

const giveNull: Refuse = (_info, output, rows) => {
  for (let row = 0; row < rows; row++) output.setItem(row, null);
  output.flush();
};

/**
 * A function that claims memory for a value before it is made, and returns its size in bytes. If there is no memory for
 * all values of a vector together, all claims fail: 2,048 texts of a megabyte would otherwise take gigabytes that
 * nothing counts, for seconds without interruption. The sum is checked immediately. The safe variant returns NULL for
 * all values then. A query that must end fails at its next claim.
 */
export const claim = {
  register(connection: DuckDBConnection, { limit, room, queries }: FunctionContext): void {
    for (const [functionName, refuse] of [[name, fail] as const, [safeVariant, giveNull] as const]) {
      connection.registerScalarFunction(
        DuckDBScalarFunction.create({
          name: functionName,
          parameterTypes: [BIGINT],
          returnType: BIGINT,
          bindFunction: bindConnection,
          mainFunction: (info, input, output) => {
            const now = limit.tick();
            const query = callingQuery(info, queries);
            if (query !== undefined && isOver(query, now)) info.setError(raisedText(hasEnded()));
            else claimAll(info, input, output, refuse, room);
          },
        }),
      );
    }
  },
};

function claimAll(
  info: DuckDBScalarFunctionInfo,
  input: DuckDBDataChunk,
  output: DuckDBVector,
  refuse: Refuse,
  room: Room | undefined,
): void {
  const claimed = input.getColumnVector(0);
  if (!(claimed instanceof DuckDBBigIntVector) || !(output instanceof DuckDBBigIntVector)) {
    info.setError(raisedText(new TypeError('another vector than declared')));
    return;
  }
  let all = 0;
  for (let row = 0; row < input.rowCount; row++) {
    const bytes = claimed.getItem(row);
    output.setItem(row, bytes);
    all += Number(bytes ?? 0);
  }
  if (room === undefined || room.hasRoom(all, all)) output.flush();
  else refuse(info, output, input.rowCount);
}

/**
 * Bytes that a value may have without a claim: those of a whole vector are two megabytes then, and a query may have
 * many columns of them.
 */
const freeBytes = 1_024;

/**
 * A branch of a CASE, without its result, that is taken if there is memory for the value. Otherwise the query fails.
 *
 * @param bytes SQL of type BIGINT with the value's size in bytes
 */
export function whenRoom(bytes: string): string {
  return `WHEN CASE WHEN ${bytes} > ${freeBytes} THEN ${name}(${bytes}) > 0 ELSE ${bytes} IS NOT NULL END THEN`;
}

/**
 * The same for sizes that are slow to compute: they are only computed if there is no memory for their upper bound.
 *
 * @param most SQL with an upper bound that is fast to compute
 */
export function whenRoomAtMost(most: string, bytes: string): string {
  const fits = `CASE WHEN ${safeVariant}(${most}) IS NOT NULL THEN true ELSE ${name}(${bytes}) >= 0 END`;
  return `WHEN CASE WHEN ${most} > ${freeBytes} THEN ${fits} ELSE ${most} IS NOT NULL END THEN`;
}
