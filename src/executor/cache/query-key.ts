import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { Plan } from '../../sql/plan.ts';
import { type UsedFields, usesText } from '../../sql/used-fields.ts';
import type { Value } from '../../sql/value.ts';
import type { ExecutorCall } from '../executor.ts';

/** What a call asks, whoever asks it: two calls with the same key have the same answer. */
export interface KeyedQuery {
  /** The endpoint's version, the parameters and the query. Compared in full wherever a result is reused. */
  readonly key: string;
  readonly endpoint: Endpoint;
  readonly parameters: ReadonlyMap<string, Value>;
  readonly plan: Plan;
  /** Bytes of memory that the plan takes by itself. */
  readonly planBytes: number;
  readonly maxRows: number;
  /** What is wanted of a row; everything where the result is kept, as others may want more of it. */
  readonly wanted: UsedFields;
}

/** Parts of a key stand in lines of their own: none of them holds a line break. */
const separator = '\n';

/** What tells calls of the same version of an endpoint apart: two with the same key ask the same. */
export function queryKey(
  { endpoint, parameters }: Pick<ExecutorCall, 'endpoint' | 'parameters'>,
  ...others: readonly string[]
): string {
  const values = endpoint.parameters.map(({ name }) => canonicalValue(parameters.get(name) ?? null));
  return [endpoint.id, endpoint.version, JSON.stringify(values), ...others].join(separator);
}

/**
 * The query of a call. Only declared parameters count, each in its canonical form, in the order of their
 * declaration; how they were written or sent does not.
 */
export function keyedQueryOf({
  endpoint,
  parameters,
  query,
  wanted: asked = 'all',
}: Pick<ExecutorCall, 'endpoint' | 'parameters' | 'query' | 'wanted'>): KeyedQuery {
  const wanted = endpoint.cacheSeconds > 0 ? 'all' : asked;
  const parts: string[] = [];
  if (query !== undefined) parts.push(JSON.stringify([query.canonical, query.maxRows]));
  if (wanted !== 'all') parts.push(usesText(wanted));
  return {
    key: queryKey({ endpoint, parameters }, ...parts),
    endpoint,
    parameters,
    plan: query?.plan ?? endpoint.plan,
    planBytes: query?.planBytes ?? 0,
    maxRows: query?.maxRows ?? endpoint.maxRows,
    wanted,
  };
}

/** Which endpoint, and which version of it, a key is of. */
export function endpointOfKey(key: string): { readonly id: string; readonly version: string } {
  const [id = '', version = ''] = key.split(separator, 2);
  return { id, version };
}

/** The canonical values of a key's parameters, in the order of their declaration. */
export function parametersOfKey(key: string): readonly unknown[] {
  const values: unknown = JSON.parse(key.split(separator)[2] ?? '[]');
  return Array.isArray(values) ? values : [];
}

/** A form that JSON keeps apart from every other value of the same type. */
export function canonicalValue(value: Value): Value {
  if (typeof value === 'bigint') return value.toString();
  // JSON would make null of what isn't finite, and 0 of -0.
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return value;
}
