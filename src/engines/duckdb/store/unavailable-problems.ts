import type { Problem } from '../../../base/errors/problem.ts';
import type { Source } from '../../../definitions/sources/source.ts';
import type { SourcePlan } from './source-plan.ts';

/**
 * Sources that would be unavailable, as errors in their files.
 *
 * @param text `reason` or `refusal`
 */
export function unavailableProblems(
  plans: readonly SourcePlan[],
  sources: readonly Source[],
  text: 'reason' | 'refusal',
): Problem[] {
  return plans.flatMap((plan) => {
    const file = sources.find(({ name }) => name === plan.source)?.file;
    const lines = plan[text]?.replaceAll(`${file}: `, '').replaceAll('\n', '. ');
    return file === undefined || lines === undefined ? [] : [{ file, line: 1, column: 1, text: lines }];
  });
}
