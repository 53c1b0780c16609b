import type { Endpoint, EndpointTable } from '../endpoints/endpoint.ts';
import { GatewayError } from '../errors.ts';
import type { OtherQuery, QueryText } from '../executor/executor.ts';
import { compileLql } from '../lql/compile/compile-lql.ts';
import type { RegexpMistake } from '../lql/compile/query-scope.ts';
import type { AdHocSql } from './ad-hoc-sql.ts';
import type { PlannedQuery } from './planned-query.ts';

/** A query that a caller brings along, to run instead of the stored one. */
interface AdHocQuery {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

/** Plans the queries that callers bring along, in either language. */
export interface AdHocQueries {
  /**
   * @throws GatewayError saying what is wrong with the query, or why the endpoint takes none; the signal's reason, as soon as it is
   *   aborted
   */
  plan(endpoint: Endpoint, own: AdHocQuery, signal: AbortSignal): Promise<OtherQuery>;
  /**
   * The plan, if it is at hand.
   *
   * @throws GatewayError when it is at hand why there is none
   */
  known(endpoint: Endpoint, own: AdHocQuery): OtherQuery | undefined;
}

/** Takes none. */
export const noAdHocQueries: AdHocQueries = {
  plan: async (_endpoint, own) => refuseAdHoc(own),
  known: (_endpoint, own) => refuseAdHoc(own),
};

function refuseAdHoc({ language }: AdHocQuery): never {
  const message = `Parameter "${language}": this gateway does not accept ad-hoc queries.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: language });
}

/** The query that is among what a caller gave. SQL counts more than LQL; an empty text is none. Contract, section (d). */
export function adHocQueryOf(given: ReadonlyMap<string, string | null>): AdHocQuery | undefined {
  for (const language of ['sql', 'lql'] as const) {
    const text = given.get(language);
    if (text) return { language, text };
  }
  return undefined;
}

/** A caller's query, to be planned when its turn has come, and refused when it reads tables that the function refuses. */
export function queryText(
  queries: AdHocQueries,
  endpoint: Endpoint,
  own: AdHocQuery,
  authoriseTables: (tables: readonly EndpointTable[]) => void,
): QueryText {
  return {
    canonical: `${own.language} ${own.text}`,
    known: () => queries.known(endpoint, own),
    plan: (signal) => queries.plan(endpoint, own, signal),
    authorise: ({ tables }) => authoriseTables(tables),
  };
}

interface OwnQueriesParts {
  readonly queries: AdHocSql;
  /** The engine's word on regular expressions in LQL; without it they fail when they run. */
  readonly regexpMistake?: RegexpMistake;
}

/** LQL becomes SQL, and goes the way of every caller's SQL. */
export function adHocQueries({ queries, regexpMistake }: OwnQueriesParts): AdHocQueries {
  const sqlOf = (endpoint: Endpoint, own: AdHocQuery) =>
    isCompiled(endpoint, own) ? compiled(endpoint, own.text, regexpMistake) : own.text;
  return {
    async plan(endpoint, own, signal) {
      const sql = sqlOf(endpoint, own);
      try {
        return otherQuery(endpoint, await queries.plan(endpoint, sql, signal));
      } catch (error) {
        throw about(endpoint, own, error);
      }
    },
    known(endpoint, own) {
      const sql = sqlOf(endpoint, own);
      try {
        const query = queries.known(endpoint, sql);
        return query && otherQuery(endpoint, query);
      } catch (error) {
        throw about(endpoint, own, error);
      }
    },
  };
}

function isCompiled({ tables }: Endpoint, { language }: AdHocQuery): boolean {
  return language === 'lql' && tables.length > 0;
}

function compiled({ tables }: Endpoint, lql: string, regexpMistake?: RegexpMistake): string {
  return compileLql(
    lql,
    tables.map(({ name, plan }) => ({ name, columns: plan.columns })),
    regexpMistake,
  );
}

function otherQuery(endpoint: Endpoint, { plan, key, tables }: PlannedQuery): OtherQuery {
  return {
    canonical: `sql ${key}`,
    plan,
    planBytes: plan.packed.length,
    maxRows: endpoint.maxRows,
    tables: endpoint.tables.filter(({ name }) => tables.has(name.toLowerCase())),
  };
}

/**
 * Names the parameter, where what stands in it is to blame. Places in SQL that was compiled are none that its caller has seen.
 */
function about(endpoint: Endpoint, own: AdHocQuery, error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.status >= 500) return error;
  const message = isCompiled(endpoint, own)
    ? `In the SQL generated from the LQL query: ${error.message}`
    : error.message;
  return new GatewayError(error.code, message, { ...error.details, parameter: own.language });
}
