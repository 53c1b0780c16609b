import { GatewayError } from '../../base/errors/errors.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { lqlTable } from '../../definitions/endpoints/lql-table.ts';
import { compileLql } from '../../sql/lql/compile/compile-lql.ts';
import type { RegexpMistake } from '../../sql/lql/compile/query-scope.ts';
import {
  type AdHocQueries,
  type AdHocQuery,
  type OfferedRows,
  parameterOf,
  type TableQuery,
} from '../call/ad-hoc-query.ts';
import type { AdHocSql } from './ad-hoc-sql.ts';
import type { PlannedQuery } from './plan-ad-hoc-query.ts';

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
    async plan(endpoint, query, account, signal) {
      const sql = sqlOf(endpoint, query);
      try {
        const from = readBy(query);
        return otherQuery(endpoint, query, await queries.plan(endpoint, sql, account, signal, from));
      } catch (error) {
        throw withParameter(endpoint, query, error);
      }
    },
    known(endpoint, query) {
      const sql = sqlOf(endpoint, query);
      try {
        const planned = queries.known(endpoint, sql, readBy(query));
        return planned && otherQuery(endpoint, query, planned);
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
  return compileLql(lql, tables.map(lqlTable), regexpMistake);
}

function readBy(query: AdHocQuery): OfferedRows {
  return query.language === 'rows' ? query.from : 'tables';
}

function otherQuery(endpoint: Endpoint, query: AdHocQuery, { plan, key, tables }: PlannedQuery): TableQuery {
  const isOfResult = readBy(query) === 'result';
  const { maxRows = endpoint.maxRows } = query.language === 'rows' ? query : {};
  return {
    canonical: `${isOfResult ? 'result' : 'sql'} ${key}`,
    plan,
    planBytes: plan.packed.length,
    maxRows,
    // The call is authorised to read the result, which has no other rows.
    tables: isOfResult ? [] : endpoint.tables.filter(({ name }) => tables.has(name.toLowerCase())),
  };
}

/**
 * Adds the parameter's name to errors of the query. Positions in compiled SQL are marked as such, and are no locations,
 * since its caller has not seen it.
 */
function withParameter(endpoint: Endpoint, query: AdHocQuery, error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.status >= 500) return error;
  const { code, details } = error;
  const parameter = parameterOf(query);
  if (query.language === 'sql' || (query.language === 'lql' && !isCompiled(endpoint, query)))
    return new GatewayError(code, error.message, { ...details, parameter });
  const { location: _, ...others } = details;
  const origin = query.language === 'lql' ? 'LQL query' : 'filter';
  const message = `In the SQL generated from the ${origin}: ${error.message}`;
  return new GatewayError(code, message, { ...others, parameter });
}
