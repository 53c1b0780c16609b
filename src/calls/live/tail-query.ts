import { GatewayError } from '../../base/errors/errors.ts';
import type { Endpoint, EndpointTable } from '../../definitions/endpoints/endpoint.ts';
import { lqlTable } from '../../definitions/endpoints/lql-table.ts';
import type { EndpointParameter } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { rowAlias } from '../../sql/columns/row-alias.ts';
import { timeAt } from '../../sql/columns/time-of-rows.ts';
import { compileLqlFilter } from '../../sql/lql/compile/compile-filter.ts';
import type { RegexpMistake } from '../../sql/lql/compile/query-scope.ts';
import { identifier } from '../../sql/text/identifier.ts';
import type { SqlType } from '../../sql/values/type.ts';

/** The queries of a tail. */
export interface TailQuery {
  /** The endpoint with two more parameters, the earliest and the latest time of the rows, and without a cache. */
  readonly endpoint: Endpoint;
  /** The names of these parameters. */
  readonly since: string;
  readonly until: string;
  /** The text of the query of its rows, oldest first. */
  readonly oldestFirst: string;
  readonly newestFirst: string;
  /** The position of the rows' time among their columns. */
  readonly timeAt: number;
  /** The position of the rows' id, if they have one. */
  readonly idAt: number | undefined;
}

/**
 * The queries of a table's tail.
 *
 * @param lql filters, if not all of the rows are wanted
 * @throws GatewayError BAD_USER_INPUT if the table's rows have no time, or the filters are invalid
 */
export function tailQuery(
  endpoint: Endpoint,
  table: EndpointTable,
  lql: string | undefined,
  regexpMistake?: RegexpMistake,
): TailQuery {
  const {
    name,
    plan: { columns },
    time: timeName,
  } = table;
  const position = timeAt(columns, timeName);
  const time = columns[position];
  if (time?.type.kind !== 'TIMESTAMP') {
    const message = `The table ${JSON.stringify(name)} has no tail: its rows have no TIMESTAMP column "timestamp", and none that orders the rows of a source.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'tail' });
  }
  const idAt = columns.findIndex(
    (column) => column.name.toLowerCase() === 'id' && column.type.kind === 'STRING',
  );
  const { derived, since, until } = endpointBetween(endpoint);
  const rows =
    lql === undefined || lql.trim() === ''
      ? identifier(name)
      : `(${compileLqlFilter(lql, lqlTable(table), regexpMistake)})`;
  const alias = rowAlias(columns, 'r');
  const column = `${alias}.${identifier(time.name)}`;
  const ofRows = `SELECT * FROM ${rows} AS ${alias} WHERE ${column} BETWEEN @${since} AND @${until} ORDER BY ${column}`;
  return {
    endpoint: derived,
    since,
    until,
    oldestFirst: ofRows,
    newestFirst: `${ofRows} DESC`,
    timeAt: position,
    idAt: idAt === -1 ? undefined : idAt,
  };
}

/** Whether a table has a tail: its rows have a time. */
export function hasTail({ plan, time }: Pick<EndpointTable, 'plan' | 'time'>): boolean {
  return plan.columns[timeAt(plan.columns, time)]?.type.kind === 'TIMESTAMP';
}

interface EndpointBetween {
  readonly derived: Endpoint;
  readonly since: string;
  readonly until: string;
}

/** Plans are cached by endpoint. */
const known = new WeakMap<Endpoint, EndpointBetween>();

function endpointBetween(endpoint: Endpoint): EndpointBetween {
  const before = known.get(endpoint);
  if (before !== undefined) return before;
  const taken = new Set(endpoint.parameters.map(({ name }) => name.toLowerCase()));
  const free = (name: string): string => (taken.has(name) ? free(`${name}_`) : name);
  const [since, until] = [free('tail_since'), free('tail_until')];
  const added = [since, until].map(
    (name): EndpointParameter => ({ name, type: { kind: 'TIMESTAMP' }, required: true }),
  );
  const derived = {
    ...endpoint,
    cacheSeconds: 0,
    parameters: [...endpoint.parameters, ...added],
    plan: {
      ...endpoint.plan,
      parameters: new Map([
        ...endpoint.plan.parameters,
        ...added.map(({ name, type }): [string, SqlType] => [name, type]),
      ]),
    },
  } satisfies Endpoint;
  const between = { derived, since, until };
  known.set(endpoint, between);
  return between;
}
