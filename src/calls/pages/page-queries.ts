import { isDeepStrictEqual } from 'node:util';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Account } from '../../base/fairness/account.ts';
import type { CacheBudget } from '../../base/memory/cache-budget.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { Catalog } from '../../sql/analyzer/catalog.ts';
import { AnalyzerError, AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';
import { type PlaceKinds, placeKinds } from '../../sql/paging/after-condition.ts';
import { placeParameters } from '../../sql/paging/page-text.ts';
import type { PageOrder } from '../../sql/plan/paging.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { canonicalValue, valueFromCanonical } from '../../sql/values/canonical-value.ts';
import { type Packed, packed } from '../../sql/values/packed.ts';
import type { Value } from '../../sql/values/value.ts';
import type { TableQuery } from '../call/ad-hoc-query.ts';
import { endpointChanged } from '../call/authorised-call.ts';
import { digest, invalidCursor } from '../call/cursors.ts';
import type { Page, PageFacts, Place } from '../call/page.ts';
import type { PageQueries } from '../call/page-queries.ts';
import { type Flight, SingleFlight } from '../executor/flights/single-flight.ts';
import type { PageToPlan } from './plan-page.ts';

/** {@link PageQueries} over tables that can be replaced. */
export interface LivePageQueries extends PageQueries {
  /** Replaces the tables of stored queries. */
  useCatalog(catalog: Catalog): void;
}

interface PageQueriesParts {
  /** See `planPage`. */
  readonly planPage: (page: PageToPlan, signal: AbortSignal) => Promise<Plan>;
  /** The tables of stored queries. */
  readonly catalog: Catalog;
  /** @throws GatewayError if the engine can't run the plan */
  readonly checkPlan: (plan: Plan, signal: AbortSignal) => Promise<void>;
  /** Bounds the cached plans. */
  readonly plans: CacheBudget;
}

/** A page, with the place in its order where it begins. */
interface PlacedPage {
  readonly facts: PageFacts;
  /** The values of the place; undefined for the first page. */
  readonly values: readonly Value[] | undefined;
  readonly kinds: PlaceKinds | undefined;
}

/**
 * Derives pages from queries with a total order. All pages of a query after places of the same kinds share one plan: only the
 * values of its parameters differ.
 */
export function pageQueries({ planPage, catalog, checkPlan, plans }: PageQueriesParts): LivePageQueries {
  let packedCatalog = packed(catalog);
  const planned = plans.table<Plan>();
  const inFlight = new SingleFlight<Plan>();
  const keyOf = (base: TableQuery, kinds: PlaceKinds | undefined, tables: Packed<Catalog>) =>
    `${base.plan.id} ${tables.id} ${kinds?.join(' ') ?? 'first'}`;
  return {
    async plan(endpoint, base, page, parameters, account, signal) {
      const placed = placedPage(endpoint, base, page, parameters);
      const key = keyOf(base, placed.kinds, packedCatalog);
      const known = planned.get(key);
      if (known !== undefined) return pageOf(base, placed, known);
      const toPlan = pageToPlan(endpoint, base, placed, packedCatalog, account);
      const waiter = { signal, staysUntilEnd: true };
      const plan = await inFlight.join(key, waiter, async ({ signal: left }: Pick<Flight, 'signal'>) => {
        const made = await planPage(toPlan, left).catch((error: unknown) => {
          left.throwIfAborted();
          throw refusal(endpoint, error);
        });
        if (!isDeepStrictEqual(made.columns, base.plan.columns)) throw endpointChanged(endpoint);
        await checkPlan(made, left);
        planned.set(key, made, made.packed.length, account);
        return made;
      });
      return pageOf(base, placed, plan);
    },
    known(endpoint, base, page, parameters) {
      const placed = placedPage(endpoint, base, page, parameters);
      const plan = planned.get(keyOf(base, placed.kinds, packedCatalog));
      return plan && pageOf(base, placed, plan);
    },
    useCatalog(next) {
      packedCatalog = packed(next);
    },
  };
}

function pageToPlan(
  { functions = [] }: Endpoint,
  { plan }: TableQuery,
  { facts, kinds }: PlacedPage,
  catalog: Packed<Catalog>,
  account: Account,
): PageToPlan {
  const { sql, functionsEnd, columns, parameters, isCallers } = plan;
  return {
    ...{ sql, columns, parameters, isCallers, order: facts.order, kinds, functions, catalog, account },
    ...(functionsEnd !== undefined && { functionsEnd }),
  };
}

/** The plan of the page as a query of its endpoint. */
function pageOf(base: TableQuery, { facts, values }: PlacedPage, plan: Plan): TableQuery {
  const names = placeParameters(facts.order, base.plan.parameters);
  const place = values?.map((value, index): [string, Value] => [names[index] as string, value]);
  return {
    canonical: JSON.stringify(['page', base.canonical, plan.id, facts.end, place?.map(canonicalPair)]),
    plan,
    planBytes: plan.packed.length,
    // The row after the last one tells whether there are more.
    maxRows: facts.rows + 1,
    tables: base.tables,
    page: facts,
    ...(place && { place: new Map(place) }),
  };
}

/** @throws GatewayError BAD_USER_INPUT if the query has no total order; INVALID_CURSOR */
function placedPage(
  endpoint: Endpoint,
  base: TableQuery,
  { rows, from }: Page,
  parameters: ReadonlyMap<string, Value>,
): PlacedPage {
  const order = orderOf(base);
  const values = from && placeValues(order, from);
  const walked = from?.walked ?? 0;
  const limit = limitOf(order, parameters);
  const { exportRows = Number.POSITIVE_INFINITY } = endpoint;
  const left = Math.max(0, Math.min(limit, exportRows) - walked);
  const end: PageFacts['end'] = left > rows ? undefined : limit <= exportRows ? 'limit' : 'exportRows';
  const facts = { order, rows: Math.min(rows, left), walked, ...(end && { end }) };
  return { facts, values, kinds: values && placeKinds(values) };
}

function orderOf({ plan }: TableQuery): PageOrder {
  const { paging } = plan;
  if (paging !== undefined && 'order' in paging) return paging.order;
  const why = paging?.refused ?? 'it was not planned for that';
  throw new GatewayError('BAD_USER_INPUT', `The result can't be read in pages: ${why}.`);
}

/** Identifies an order, as in cursors. */
export function orderId({ keys }: PageOrder): string {
  return digest(JSON.stringify(keys));
}

/** @throws GatewayError INVALID_CURSOR if the place is not one of the order */
function placeValues(order: PageOrder, { values, order: id }: Place): readonly Value[] {
  const known = order.keys.map(({ type }, index) => valueFromCanonical(type, values[index]));
  if (id === orderId(order) && values.length === known.length && known.every((value) => value !== undefined))
    return known;
  throw invalidCursor('the order of the rows has changed since. Begin with the first page again');
}

/** The rows of the whole walk by the query's own LIMIT. */
function limitOf({ limit }: PageOrder, parameters: ReadonlyMap<string, Value>): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  if (typeof limit === 'bigint') return Number(limit);
  const name = limit.parameter.toLowerCase();
  const [, value] = [...parameters].find(([declared]) => declared.toLowerCase() === name) ?? [];
  if (typeof value === 'bigint' && value >= 0n) return Number(value);
  throw new GatewayError('QUERY_FAILED', 'LIMIT requires a value that is not negative and not NULL');
}

function canonicalPair([name, value]: readonly [string, Value]) {
  return [name, canonicalValue(value)];
}

/** What a caller gets of an error of planning. The query itself was planned before. */
function refusal(endpoint: Endpoint, error: unknown): unknown {
  if (error instanceof AnalyzerError) return endpointChanged(endpoint);
  if (!(error instanceof AnalyzerUnavailableError)) return error;
  const { message } = error;
  return new GatewayError('BACKEND_UNAVAILABLE', message, { cause: error, retryAfterSeconds: 1 });
}
