import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { Plan } from '../../../sql/plan/plan.ts';
import { bothUses, type UsedFields, usesText } from '../../../sql/plan/used-fields.ts';
import { canonicalValue } from '../../../sql/values/canonical-value.ts';
import type { Value } from '../../../sql/values/value.ts';
import type { TableQuery } from '../../call/ad-hoc-query.ts';
import type { AuthorisedCall, PlannedCall } from '../../call/authorised-call.ts';
import type { PageFacts } from '../../call/page.ts';

/** A query with its key. Calls with the same key have the same answer. */
export interface KeyedQuery {
  /** The endpoint's version, the parameters and the query. Compared in full wherever a result is reused. */
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly plan: Plan;
  /** Bytes of memory of the plan itself. */
  readonly planBytes: number;
  readonly maxRows: number;
  /** Fields that are read of a row. All of them if the result is cached, because other callers may read others. */
  readonly wanted: UsedFields;
  /** The page that the rows are, with one more if there is one. */
  readonly page?: PageFacts;
}

/** Separates the parts of a key. No part contains a line break. */
const separator = '\n';

/** Distinguishes calls of an endpoint: those with the same key ask the same. */
export function queryKey(
  { endpoint, parameters }: Pick<AuthorisedCall, 'endpoint' | 'parameters'>,
  ...others: readonly string[]
): string {
  const values = endpoint.parameters.map(({ name }) => canonicalValue(parameters.get(name) ?? null));
  return [endpoint.id, endpoint.version, JSON.stringify(values), ...others].join(separator);
}

/**
 * The query of a call. The key contains declared parameters only, each in canonical form, in the order of their
 * declaration. How they were written or sent makes no difference.
 */
export function keyedQueryOf(call: PlannedCall, asked: UsedFields = 'all'): KeyedQuery {
  return keyed(call, call.query, asked);
}

/** The stored query with values that its endpoint keeps warm. Only the gateway itself runs it. */
export function warmedQueryOf(endpoint: Endpoint, parameters: ReadonlyMap<string, Value>): KeyedQuery {
  return keyed({ endpoint, parameters }, undefined, 'all');
}

function keyed(
  { endpoint, parameters }: Pick<AuthorisedCall, 'endpoint' | 'parameters'>,
  query: TableQuery | undefined,
  asked: UsedFields,
): KeyedQuery {
  const page = query?.page;
  const wanted =
    endpoint.cacheSeconds > 0 ? 'all' : page === undefined ? asked : bothUses(asked, keysOf(page));
  const parts: string[] = [];
  if (query !== undefined) parts.push(JSON.stringify([query.canonical, query.maxRows]));
  if (wanted !== 'all') parts.push(usesText(wanted));
  return {
    key: queryKey({ endpoint, parameters }, ...parts),
    endpoint,
    parameters: query?.place === undefined ? parameters : new Map([...parameters, ...query.place]),
    plan: query?.plan ?? endpoint.plan,
    planBytes: query?.planBytes ?? 0,
    maxRows: query?.maxRows ?? endpoint.maxRows,
    wanted,
    ...(page && { page }),
  };
}

/** The columns by which the rows of a page are ordered: cursors are made of them. */
function keysOf({ order }: PageFacts): UsedFields {
  return new Map(order.keys.map(({ index }) => [index, 'all']));
}

/** The endpoint and its version that a key belongs to. */
export function endpointOfKey(key: string): { readonly id: string; readonly version: string } {
  const [id = '', version = ''] = key.split(separator, 2);
  return { id, version };
}

/** The canonical values of a key's parameters, in the order of their declaration. */
export function parametersOfKey(key: string): readonly unknown[] {
  const values: unknown = JSON.parse(key.split(separator)[2] ?? '[]');
  return Array.isArray(values) ? values : [];
}
