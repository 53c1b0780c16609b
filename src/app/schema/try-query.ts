import { never } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { ownAccount } from '../../base/fairness/account.ts';
import type { AdHocQueries } from '../../calls/call/ad-hoc-query.ts';
import type { BoardSurroundings } from '../../definitions/boards/board-problems.ts';

/** Tries the queries of boards by planning them. Nothing runs. */
export function queryTrier(queries: Pick<AdHocQueries, 'plan'>): NonNullable<BoardSurroundings['tryQuery']> {
  return async (endpoint, query) => {
    try {
      const { plan } = await queries.plan(endpoint, query, ownAccount, never);
      return { columns: plan.columns };
    } catch (error) {
      if (error instanceof GatewayError && error.status < 500) return { mistake: error.message };
      throw error;
    }
  };
}
