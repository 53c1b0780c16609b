import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import { type GivenParameters, textsIn } from '../../../definitions/endpoints/parameters/given.ts';
import { columnNames } from '../../../sql/values/column-names.ts';
import type { FilePlace, TestCase } from '../cases/test-case.ts';
import { expectedRowsKeys } from '../cases/test-file.ts';
import { branchPoints } from './branches.ts';
import { branchKey } from './taken-branches.ts';

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

/** The columns of the stored query's result whose values an expectation tells. */
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
