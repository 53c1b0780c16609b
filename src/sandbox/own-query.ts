import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { GatewayError } from '../errors.ts';
import type { OtherQuery } from '../executor/executor.ts';
import { compileLql } from '../lql/compile/compile-lql.ts';
import type { RegexpMistake } from '../lql/compile/query-scope.ts';
import type { CallerQueries } from './caller-queries.ts';
import { withinTime } from './within-time.ts';

/** A query that a caller brings along, to run instead of the stored one. */
export interface OwnQuery {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

/** Plans the queries that callers bring along, in either language. */
export interface OwnQueries {
  /**
   * @throws GatewayError saying what is wrong with the query, or why the endpoint takes none
   */
  plan(endpoint: Endpoint, own: OwnQuery, signal: AbortSignal): Promise<OtherQuery>;
}

/** Takes none. */
export const noOwnQueries: OwnQueries = {
  async plan(_endpoint, { language }) {
    const message = `Parameter "${language}": this gateway takes no queries of its callers.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: language });
  },
};

/** The query that is among what a caller gave. SQL counts more than LQL; an empty text is none. Contract, section (d). */
export function ownQueryOf(given: ReadonlyMap<string, string | null>): OwnQuery | undefined {
  for (const language of ['sql', 'lql'] as const) {
    const text = given.get(language);
    if (text) return { language, text };
  }
  return undefined;
}

export interface OwnQueriesParts {
  readonly queries: CallerQueries;
  /** The engine's word on regular expressions in LQL; without it they fail when they run. */
  readonly regexpMistake?: RegexpMistake;
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  /** Keeps a place among the runs that wait for the engine. */
  readonly keepPlace?: () => Disposable;
}

/** LQL becomes SQL, and goes the way of every caller's SQL. */
export function ownQueries({ queries, regexpMistake, clock, keepPlace }: OwnQueriesParts): OwnQueries {
  return {
    async plan(endpoint, { language, text }, signal) {
      let since: number | undefined;
      const takePlace =
        keepPlace &&
        (() => {
          since = clock.elapsed();
          return keepPlace();
        });
      const isCompiled = language === 'lql' && endpoint.tables.length > 0;
      const sql = isCompiled ? compiled(endpoint, text, regexpMistake) : text;
      const { plan, key, tables } = await withinTime(endpoint, signal, clock, (until) =>
        queries.plan(endpoint, sql, until, takePlace),
      ).catch((error: unknown) => {
        throw about(language, error, isCompiled);
      });
      return {
        canonical: `sql ${key}`,
        plan,
        planBytes: plan.packed.length,
        ...(since !== undefined && { since }),
        maxRows: endpoint.maxRows,
        tables: endpoint.tables.filter(({ name }) => tables.has(name.toLowerCase())),
      };
    },
  };
}

function compiled({ tables }: Endpoint, lql: string, regexpMistake?: RegexpMistake): string {
  return compileLql(
    lql,
    tables.map(({ name, plan }) => ({ name, columns: plan.columns })),
    regexpMistake,
  );
}

/**
 * Names the parameter, where what stands in it is to blame. Places in SQL that was compiled are none that its caller has seen.
 */
function about(language: OwnQuery['language'], error: unknown, isCompiled: boolean): unknown {
  if (!(error instanceof GatewayError) || error.status >= 500) return error;
  const message = isCompiled ? `In the SQL that the LQL stands for: ${error.message}` : error.message;
  return new GatewayError(error.code, message, { ...error.details, parameter: language });
}
