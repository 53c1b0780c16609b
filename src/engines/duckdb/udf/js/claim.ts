import { BIGINT, type DuckDBConnection, type DuckDBDataChunk, type DuckDBVector } from '@duckdb/node-api';
import { hasEnded, TransientRefusal } from '../../../../sql/regexp/syntax.ts';
import { memoryExceeded } from '../../guard/memory-guard.ts';
import { isOver } from '../../guard/running-queries.ts';
import { callingQuery } from './calling-query.ts';
import { fallibleCall, registerFallible } from './fallible-function.ts';
import type { FunctionContext, Room } from './js-function.ts';

const name = 'gateway_claim';
const safeVariant = `${name}_or_null`;

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
          const now = limit.tick();
          const query = callingQuery(info, queries);
          if (query !== undefined && isOver(query, now)) throw hasEnded();
          if (hasRoomForAll(input, results, room)) return;
          if (!safe) throw new TransientRefusal(memoryExceeded);
          for (let row = 0; row < input.rowCount; row++) results.setItem(row, null);
        },
      });
    }
  },
};

/** Gives the claimed sizes as results. */
function hasRoomForAll(input: DuckDBDataChunk, results: DuckDBVector, room: Room | undefined): boolean {
  const claimed = input.getColumnVector(0);
  let all = 0;
  for (let row = 0; row < input.rowCount; row++) {
    const bytes = claimed.getItem(row);
    results.setItem(row, bytes);
    all += Number(bytes ?? 0);
  }
  return room === undefined || room.hasRoom(all, all);
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
  return `WHEN CASE WHEN ${bytes} > ${freeBytes} THEN ${claimOf(bytes)} > 0 ELSE ${bytes} IS NOT NULL END THEN`;
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
