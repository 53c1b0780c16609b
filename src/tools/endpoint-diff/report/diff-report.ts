import type { Problem } from '../../../base/errors/problem.ts';
import type { ContractChange } from '../../../server/graphql/contract.ts';
import type { EndpointComparison } from '../changes/endpoint-change.ts';
import type { ComparedCalls } from '../rows/call-comparison.ts';

/** An endpoint with what was found out about it. */
export interface ReportedEndpoint extends EndpointComparison {
  /** Absent if nothing was run. */
  readonly compared?: ComparedCalls;
}

/** What `diff` has found. */
export interface DiffReport {
  /** The revision or folder, as it was given. */
  readonly from: string;
  /** All endpoints, in the order of their names. */
  readonly endpoints: readonly ReportedEndpoint[];
  /** The errors in the files, of before and of now. The endpoints of these files aren't compared. */
  readonly problems: { readonly before: readonly Problem[]; readonly after: readonly Problem[] };
  /** What clients of GraphQL may notice. Absent if one of the schemas has errors. */
  readonly contract?: readonly ContractChange[];
  /** What was not done, and why. */
  readonly notes: readonly string[];
}

/** Whether any answer can differ, as far as it was compared. */
export function canDiffer({ endpoints, problems }: DiffReport): boolean {
  return endpoints.some(({ state }) => state !== 'same') || problems.before.length > 0;
}

/** What is said about the answers of an endpoint, in one sentence. */
export function verdictOf({ state, extent, isOrderOnly, formerName }: EndpointComparison): string {
  switch (state) {
    case 'new':
      return 'new';
    case 'removed':
      return 'removed';
    case 'same':
      return 'answers are the same';
    default: {
      if (isOrderOnly)
        return 'answers have the same rows, before they are cut at maxRows, and their order can differ';
      const renamed = formerName === undefined ? '' : ', and it has another name';
      if (extent === 'wider')
        return `rows can only be added to answers, before they are cut at maxRows${renamed}`;
      if (extent === 'narrower')
        return `rows can only be removed from answers, before they are cut at maxRows${renamed}`;
      return `answers can differ${renamed}`;
    }
  }
}

/** The changes in words, as sentences of a list. */
export function changeText({ where, text }: EndpointComparison['changes'][number]): string {
  return where === '' ? text : `in ${where}: ${text}`;
}
