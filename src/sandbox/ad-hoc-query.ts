import type { Endpoint, EndpointTable } from '../endpoints/endpoint.ts';
import type { GivenParameters } from '../endpoints/parameters/given.ts';
import { GatewayError } from '../errors.ts';
import { compileLql } from '../lql/compile/compile-lql.ts';
import type { RegexpMistake } from '../lql/compile/query-scope.ts';
import type { Plan } from '../sql/plan.ts';
import type { AdHocSql } from './ad-hoc-sql.ts';
import type { PlannedQuery } from './planned-query.ts';

/** A query of a caller, to run instead of the stored one. */
export interface AdHocQuery {
  readonly language: 'sql' | 'lql';
  readonly text: string;
}

/** A query over the tables of an endpoint, other than the stored one. */
export interface TableQuery {
  /** Identifies the query: queries of an endpoint with the same text have the same answer. */
  readonly canonical: string;
  readonly plan: Plan;
  /** Bytes of memory of the plan; none for the plans of an endpoint's tables, which exist anyway. */
  readonly planBytes?: number;
  /** Rows beyond this many are cut off. */
  readonly maxRows: number;
  /** The tables of the endpoint that it reads. */
  readonly tables: readonly EndpointTable[];
}

/** Plans ad-hoc queries in either language. */
export interface AdHocQueries {
  /** @throws GatewayError if the query is invalid or the endpoint accepts none; the signal's reason, as soon as it is aborted */
  plan(endpoint: Endpoint, query: AdHocQuery, signal: AbortSignal): Promise<TableQuery>;
  /**
   * Returns the plan, if it is cached.
   *
   * @throws GatewayError if a refusal is cached
   */
  known(endpoint: Endpoint, query: AdHocQuery): TableQuery | undefined;
}

/** Refuses all ad-hoc queries. */
export const noAdHocQueries: AdHocQueries = {
  plan: async (_endpoint, query) => refuseAdHoc(query),
  known: (_endpoint, query) => refuseAdHoc(query),
};

function refuseAdHoc({ language }: AdHocQuery): never {
  const message = `Parameter "${language}": this gateway does not accept ad-hoc queries.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: language });
}

/**
 * The ad-hoc query among a caller's parameters. SQL takes precedence over LQL, and an empty text counts as none.
 * Contract, section (d).
 */
export function adHocQueryOf(given: GivenParameters): AdHocQuery | undefined {
  for (const language of ['sql', 'lql'] as const) {
    const text = given.get(language);
    if (typeof text === 'string' && text !== '') return { language, text };
  }
  return undefined;
}

interface AdHocQueriesParts {
  readonly queries: AdHocSql;
  /** Reports errors in LQL's regular expressions. If omitted, such queries fail when they run. */
  readonly regexpMistake?: RegexpMistake;
}

/** Compiles LQL to SQL, then plans it like an ad-hoc SQL query. */
export function adHocQueries({ queries, regexpMistake }: AdHocQueriesParts): AdHocQueries {
  const sqlOf = (endpoint: Endpoint, query: AdHocQuery) =>
    isCompiled(endpoint, query) ? compiled(endpoint, query.text, regexpMistake) : query.text;
  return {
    async plan(endpoint, query, signal) {
      const sql = sqlOf(endpoint, query);
      try {
        return otherQuery(endpoint, await queries.plan(endpoint, sql, signal));
      } catch (error) {
        throw withParameter(endpoint, query, error);
      }
    },
    known(endpoint, query) {
      const sql = sqlOf(endpoint, query);
      try {
        const planned = queries.known(endpoint, sql);
        return planned && otherQuery(endpoint, planned);
      } catch (error) {
        throw withParameter(endpoint, query, error);
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

function otherQuery(endpoint: Endpoint, { plan, key, tables }: PlannedQuery): TableQuery {
  return {
    canonical: `sql ${key}`,
    plan,
    planBytes: plan.packed.length,
    maxRows: endpoint.maxRows,
    tables: endpoint.tables.filter(({ name }) => tables.has(name.toLowerCase())),
  };
}

/**
 * Adds the parameter's name to errors of the query. Positions in compiled SQL are marked as such, and are no locations,
 * since its caller has not seen it.
 */
function withParameter(endpoint: Endpoint, query: AdHocQuery, error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.status >= 500) return error;
  const { code, details } = error;
  const parameter = query.language;
  if (!isCompiled(endpoint, query)) return new GatewayError(code, error.message, { ...details, parameter });
  const { location: _, ...others } = details;
  const message = `In the SQL generated from the LQL query: ${error.message}`;
  return new GatewayError(code, message, { ...others, parameter });
}
