import type { Endpoint, EndpointParameter, EndpointTable } from '../endpoints/endpoint.ts';
import { GatewayError } from '../errors.ts';
import { compileLqlFilter } from '../lql/compile/compile-filter.ts';
import type { RegexpMistake } from '../lql/compile/query-scope.ts';
import { identifier } from '../sql/sql-text.ts';
import type { Column } from '../sql/type.ts';

/** The queries of a tail. */
export interface TailQuery {
  /** The endpoint with one more parameter, the earliest time of the rows, and without a cache. */
  readonly endpoint: Endpoint;
  /** The name of that parameter. */
  readonly since: string;
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
  { name, plan: { columns } }: EndpointTable,
  lql: string | undefined,
  regexpMistake?: RegexpMistake,
): TailQuery {
  const timeAt = timeColumnAt(columns);
  const time = columns[timeAt];
  if (time === undefined) {
    const message = `The table ${JSON.stringify(name)} has no tail: its rows have no TIMESTAMP column "timestamp".`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'tail' });
  }
  const idAt = columns.findIndex(
    (column) => column.name.toLowerCase() === 'id' && column.type.kind === 'STRING',
  );
  const { derived, since } = endpointSince(endpoint);
  const rows =
    lql === undefined || lql.trim() === ''
      ? identifier(name)
      : `(${compileLqlFilter(lql, { name, columns }, regexpMistake)})`;
  const column = `r.${identifier(time.name)}`;
  const ofRows = `SELECT * FROM ${rows} AS r WHERE ${column} >= @${since} ORDER BY ${column}`;
  return {
    endpoint: derived,
    since,
    oldestFirst: ofRows,
    newestFirst: `${ofRows} DESC`,
    timeAt,
    idAt: idAt === -1 ? undefined : idAt,
  };
}

/** Whether a table has a tail: its rows have a time. */
export function hasTail({ plan }: Pick<EndpointTable, 'plan'>): boolean {
  return timeColumnAt(plan.columns) !== -1;
}

function timeColumnAt(columns: readonly Column[]): number {
  return columns.findIndex(
    ({ name, type }) => name.toLowerCase() === 'timestamp' && type.kind === 'TIMESTAMP',
  );
}

interface EndpointSince {
  readonly derived: Endpoint;
  readonly since: string;
}

/** Plans are cached by endpoint. */
const known = new WeakMap<Endpoint, EndpointSince>();

function endpointSince(endpoint: Endpoint): EndpointSince {
  const before = known.get(endpoint);
  if (before !== undefined) return before;
  const taken = new Set(endpoint.parameters.map(({ name }) => name.toLowerCase()));
  let since = 'tail_since';
  while (taken.has(since)) since += '_';
  const parameter: EndpointParameter = { name: since, type: { kind: 'TIMESTAMP' }, required: true };
  const derived = {
    ...endpoint,
    cacheSeconds: 0,
    parameters: [...endpoint.parameters, parameter],
    plan: {
      ...endpoint.plan,
      parameters: new Map([...endpoint.plan.parameters, [since, { kind: 'TIMESTAMP' }]]),
    },
  } satisfies Endpoint;
  known.set(endpoint, { derived, since });
  return { derived, since };
}
