import type { AnyNode } from '../../../sql/resolved/node.ts';
import type { BranchPoint } from './branches.ts';

/** The key of a branch. */
export function branchKey(point: Pick<BranchPoint, 'key'>, branch: number): string {
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
