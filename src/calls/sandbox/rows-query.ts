import { GatewayError } from '../../base/errors/errors.ts';
import type { Endpoint, EndpointTable } from '../../definitions/endpoints/endpoint.ts';
import { resultTable } from '../../definitions/endpoints/stored-result.ts';
import { rowAlias } from '../../sql/columns/row-alias.ts';
import { timeAt } from '../../sql/columns/time-of-rows.ts';
import { filterCondition } from '../../sql/filter/filter-condition.ts';
import { type FilterField, filterFields } from '../../sql/filter/filter-fields.ts';
import { type FilterJson, parseFilter } from '../../sql/filter/filter-json.ts';
import { filteredQuery } from '../../sql/filter/filtered-query.ts';
import { type OrderKey, orderItems, parseOrder } from '../../sql/filter/row-order.ts';
import { lqlConditions } from '../../sql/lql/compile/compile-filter.ts';
import { regexpMistake } from '../../sql/regexp/parse.ts';
import { identifier } from '../../sql/text/identifier.ts';
import type { Column } from '../../sql/values/type.ts';
import type { RowsQuery } from '../call/ad-hoc-query.ts';

/** What a request asks for of the rows of a table, or of an endpoint's own result. */
export interface AskedRows {
  readonly endpoint: Endpoint;
  /** The table. The endpoint's own result, if absent. */
  readonly table?: EndpointTable;
  /** What the filter and the order can name. */
  readonly fields: readonly FilterField[];
  /** The parameter or argument with the filter, with which paths in errors begin. */
  readonly parameter: string;
  readonly filter?: FilterJson | undefined;
  /** Instead of the order that the rows have anyway. */
  readonly order?: readonly OrderKey[];
  /** Rows beyond this many are cut off. By default, the endpoint's maximum. */
  readonly maxRows?: number;
}

/**
 * The query for such rows.
 *
 * @returns undefined if all rows are wanted in the order that they have anyway
 * @throws GatewayError BAD_USER_INPUT with the path of what is wrong in the filter
 */
export function rowsQuery(asked: AskedRows): RowsQuery | undefined {
  const { parameter, filter, fields } = asked;
  const row = rowAlias(columnsOf(asked), 'r');
  const condition =
    filter === undefined
      ? undefined
      : filterCondition(filter, { root: parameter, row, fields, regexpMistake });
  return queryOf(asked, row, condition === undefined ? [] : [condition]);
}

/** A filter and an order as texts, with the names of the parameters that have them. */
export interface WrittenRows {
  readonly filter?: string;
  readonly order?: string;
}

/**
 * The query for the rows of an endpoint's own result that a text selects: JSON if it begins with `{`, otherwise LQL.
 *
 * @returns undefined if all rows are wanted in the order that they have anyway
 * @throws GatewayError BAD_USER_INPUT
 */
export function writtenRowsQuery(endpoint: Endpoint, { filter, order }: WrittenRows): RowsQuery | undefined {
  const parameter = 'filter';
  const fields = filterFields(endpoint.plan.columns);
  const asked = {
    ...{ endpoint, fields, parameter },
    ...(order !== undefined && { order: parseOrder(order, fields, 'order') }),
  };
  if (filter === undefined) return rowsQuery(asked);
  if (/^\s*\{/.test(filter)) return rowsQuery({ ...asked, filter: parseFilter(filter, parameter) });
  const row = rowAlias(endpoint.plan.columns, 'r');
  return queryOf(asked, row, conditionsOf(filter, endpoint, row, parameter));
}

function conditionsOf(lql: string, { plan }: Endpoint, row: string, parameter: string): readonly string[] {
  try {
    return lqlConditions(lql, { name: resultTable, columns: plan.columns }, row, regexpMistake);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new GatewayError(error.code, error.message, { ...error.details, parameter });
  }
}

function queryOf(asked: AskedRows, row: string, conditions: readonly string[]): RowsQuery | undefined {
  const { table, parameter, maxRows, order = [] } = asked;
  if (conditions.length === 0 && order.length === 0) return undefined;
  return {
    language: 'rows',
    text: filteredQuery({
      table: table?.name ?? resultTable,
      row,
      conditions,
      order: order.length > 0 ? orderItems(order, row) : usualOrder(asked, row),
    }),
    from: table === undefined ? 'result' : 'tables',
    parameter,
    ...(maxRows !== undefined && { maxRows }),
  };
}

function columnsOf({ endpoint, table }: AskedRows): readonly Column[] {
  return (table ?? endpoint).plan.columns;
}

/** The order that the rows have without any other: newest first in tables, as its query says in a result. */
function usualOrder(asked: AskedRows, row: string): string[] {
  const { endpoint, table } = asked;
  const columns = columnsOf(asked);
  const named = (position: number) => `${row}.${identifier(columns[position]?.name ?? '')}`;
  if (table !== undefined) {
    const time = timeAt(columns, table.time);
    return time < 0 ? [] : [`${named(time)} DESC`];
  }
  return (endpoint.filterable?.order ?? []).map(
    ({ column, descending, nulls }) =>
      `${named(column)}${descending ? ' DESC' : ''}${nulls === undefined ? '' : ` NULLS ${nulls}`}`,
  );
}
