import {
  BIGINT,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBVector,
  UBIGINT,
} from '@duckdb/node-api';
import { Failure, TransientRefusal } from '../../../../sql/values/function-errors.ts';
import { answerTooLarge, maxAnswerBytes } from '../../../engine/result-size.ts';
import { memoryExceeded } from '../../guard/memory-guard.ts';
import { callingQuery, requireRunning } from './calling-query.ts';
import { fallibleCall, registerFallible } from './fallible-function.ts';
import type { FunctionContext } from './js-function.ts';

const name = 'gateway_claim';
const safeVariant = `${name}_or_null`;
const ofAnswer = 'gateway_answer';

/**
 * A function that claims memory for a value before it is made, and returns its size in bytes. If there is no memory for
 * all values of a vector together, all claims fail: 2,048 texts of a megabyte would otherwise take gigabytes that
 * nothing counts, for seconds without interruption. The sum is checked immediately. The safe variant returns NULL for
 * all values then. A query that must end fails at its next claim.
 */
export const claim = {
  register(connection: DuckDBConnection, { limit, room, queries }: FunctionContext): void {
    for (const [functionName, safe] of [[name, false] as const, [safeVariant, true] as const]) {
      registerFallible(connection, {
        ...{ name: functionName, parameterTypes: [BIGINT], resultType: BIGINT },
        fill: (info, input, results) => {
          requireRunning(callingQuery(info, queries), limit.tick());
          const bytes = copySizes(input, results);
          if (room === undefined || room.hasRoom(bytes, bytes)) return;
          if (!safe) throw new TransientRefusal(memoryExceeded);
          for (let row = 0; row < input.rowCount; row++) results.setItem(row, null);
        },
      });
    }
  },
};

/** The same for the rows of an answer. DuckDB may keep all of them until the last, so all together are limited as well. */
export const answerClaim = {
  register(connection: DuckDBConnection, { limit, room, queries }: FunctionContext): void {
    registerFallible(connection, {
      ...{ name: ofAnswer, parameterTypes: [BIGINT, UBIGINT], resultType: BIGINT, isUnbound: true },
      fill: (_, input, results) => {
        const query = queries?.on(Number(input.getColumnVector(1).getItem(0)));
        requireRunning(query, limit.tick());
        const bytes = copySizes(input, results);
        if (room?.hasRoom(bytes, bytes) === false) throw new TransientRefusal(memoryExceeded);
        if (query?.answer === undefined) return;
        query.answer.bytes += bytes;
        if (query.answer.bytes > maxAnswerBytes) throw new Failure(answerTooLarge().message);
      },
    });
  },
};

/** Gives the claimed sizes as results. Returns their sum. */
function copySizes(input: DuckDBDataChunk, results: DuckDBVector): number {
  const claimed = input.getColumnVector(0);
  let all = 0;
  for (let row = 0; row < input.rowCount; row++) {
    const bytes = claimed.getItem(row);
    results.setItem(row, bytes);
    all += Number(bytes ?? 0);
  }
  return all;
}

/**
 * Bytes that a value may have without a claim: those of a whole vector are two megabytes then, and a query may have
 * many columns of them.
 */
const freeBytes = 1_024;

const claimOf = (bytes: string) => fallibleCall(name, [bytes]);

/**
 * A branch of a CASE, without its result, that is taken if there is memory for the value. Otherwise the query fails.
 *
 * @param bytes SQL of type BIGINT with the value's size in bytes
 */
export function whenRoom(bytes: string): string {
  return whenClaimed(bytes, claimOf(bytes));
}

/** The same for the size of an answer's row. */
export function whenRoomInAnswer(bytes: string): string {
  return whenClaimed(bytes, fallibleCall(ofAnswer, [bytes, 'current_connection_id()']));
}

function whenClaimed(bytes: string, claimed: string): string {
  return `WHEN CASE WHEN ${bytes} > ${freeBytes} THEN ${claimed} > 0 ELSE ${bytes} IS NOT NULL END THEN`;
}

/**
 * The same for sizes that are slow to compute: they are only computed if there is no memory for their upper bound.
 *
 * @param most SQL with an upper bound that is fast to compute
 */
export function whenRoomAtMost(most: string, bytes: string): string {
  const fits = `CASE WHEN ${fallibleCall(safeVariant, [most])} IS NOT NULL THEN true ELSE ${claimOf(bytes)} >= 0 END`;
  return `WHEN CASE WHEN ${most} > ${freeBytes} THEN ${fits} ELSE ${most} IS NOT NULL END THEN`;
}
