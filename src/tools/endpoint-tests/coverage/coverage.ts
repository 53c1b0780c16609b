import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import {
  type GivenParameters,
  textsIn,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { AnyNode } from '../../../sql/resolved/node.ts';
import { columnNames } from '../../../sql/values/column-names.ts';
import type { FilePlace, TestCase } from '../cases/test-file.ts';
import { expectedRowsKeys } from '../cases/test-file.ts';
import { type BranchPoint, branchPoints } from './branches.ts';

/** Something that a case can cover. */
export interface CoverageItem {
  readonly kind: 'parameter' | 'branch' | 'column';
  /** Such as `interval = daily`, `CASE @interval: WHEN 'hourly'` or `total`. */
  readonly text: string;
  /** Its place in the endpoint's file, of a branch. */
  readonly place?: FilePlace;
  readonly isCovered: boolean;
}

/** What the cases of an endpoint cover. */
export interface EndpointCoverage {
  readonly endpoint: string;
  readonly file: string;
  readonly items: readonly CoverageItem[];
}

/** A call whose query ran. */
export interface CoveredCall {
  readonly test: TestCase;
  readonly given: GivenParameters;
  /** The keys of the branches that it took. */
  readonly branches: ReadonlySet<string>;
}

/**
 * What calls cover of an endpoint: each parameter given and, if it is optional, omitted; each of its allowed values; each
 * branch of a CASE or IF on parameters; and each column of the result at which an expectation looks.
 */
export function coverageOf(endpoint: Endpoint, calls: readonly CoveredCall[]): EndpointCoverage {
  const { name, file, parameters, plan } = endpoint;
  const textsOf = (parameter: string, call: CoveredCall) => textsIn(call.given.get(parameter) ?? null);
  const isGiven = (parameter: string, call: CoveredCall) => textsOf(parameter, call).length > 0;
  const ofParameters = parameters.flatMap(({ name, required, type, values }): CoverageItem[] => {
    const allowed = values ?? (type.kind === 'BOOL' ? ['true', 'false'] : []);
    const item = (text: string, isCovered: boolean) => ({ kind: 'parameter', text, isCovered }) as const;
    const given = item(
      `${name} given`,
      calls.some((call) => isGiven(name, call)),
    );
    const omitted = item(
      `${name} omitted`,
      calls.some((call) => !isGiven(name, call)),
    );
    return [
      ...(allowed.length === 0 ? [given] : []),
      ...(required ? [] : [omitted]),
      ...allowed.map((value) =>
        item(
          `${name} = ${value}`,
          calls.some((call) => textsOf(name, call).includes(value)),
        ),
      ),
    ];
  });
  const taken = new Set(calls.flatMap(({ branches }) => [...branches]));
  const ofBranches = branchPoints(plan).flatMap((point) =>
    point.branches.map((branch, index): CoverageItem => {
      const isCovered = taken.has(branchKey(point, index));
      return { kind: 'branch', text: `${point.text}: ${branch}`, place: point.place, isCovered };
    }),
  );
  const seen = new Set(calls.flatMap(({ test }) => [...columnsLookedAt(test)]));
  const ofColumns = columnNames(plan.columns).map(
    (column): CoverageItem => ({ kind: 'column', text: column, isCovered: seen.has(column) }),
  );
  return { endpoint: name, file, items: [...ofParameters, ...ofBranches, ...ofColumns] };
}

/** The columns of the stored query's result whose values an expectation names. */
function columnsLookedAt({ query, expectation }: TestCase): Set<string> {
  if (query !== undefined) return new Set();
  const rows = expectedRowsKeys.flatMap((key) => expectation[key] ?? []);
  return new Set(rows.flatMap((row) => Object.keys(row)));
}

/** The covered share of all items, in percent. Nothing to cover is covered completely. */
export function coveredPercent(coverages: readonly Pick<EndpointCoverage, 'items'>[]): number {
  const items = coverages.flatMap((coverage) => coverage.items);
  if (items.length === 0) return 100;
  return (100 * items.filter(({ isCovered }) => isCovered).length) / items.length;
}

/** The key of a branch. */
function branchKey(point: Pick<BranchPoint, 'key'>, branch: number): string {
  return `${point.key} ${branch}`;
}

/**
 * The keys of the branches that a call takes.
 *
 * @param evaluate computes BOOL expressions with the call's parameters. A failed expression is undefined
 */
export async function takenBranches(
  points: readonly BranchPoint[],
  evaluate: (conditions: readonly AnyNode[]) => Promise<readonly (boolean | null | undefined)[]>,
): Promise<ReadonlySet<string>> {
  const conditions = points.flatMap((point) =>
    point.conditions.filter((condition) => condition !== undefined),
  );
  if (conditions.length === 0) return new Set();
  const values = await evaluate(conditions);
  const valueByCondition = new Map(conditions.map((condition, index) => [condition, values[index]]));
  const taken = new Map<string, number>();
  for (const point of points) {
    for (const [branch, condition] of point.conditions.entries()) {
      const value = condition === undefined ? true : valueByCondition.get(condition);
      if (value === undefined) break;
      if (value !== true) continue;
      taken.set(point.key, branch);
      break;
    }
  }
  const counts = points.filter(({ within }) => within.every(({ key, branch }) => taken.get(key) === branch));
  return new Set(
    counts.flatMap((point) => {
      const branch = taken.get(point.key);
      return branch === undefined ? [] : [branchKey(point, branch)];
    }),
  );
}
