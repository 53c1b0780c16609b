import type { AnyNode } from '../../../sql/resolved/node.ts';
import type { ConstantQuestion, ConstantTable, Known } from './constant-table.ts';
import { Folder } from './folder.ts';

/** Each pass settles at least one more condition. Real queries need two or three. */
const maxPasses = 20;

/**
 * Replaces the constant expressions of a statement by their values. Literals, parameters and the clock are known when a
 * query runs: a bound on a column becomes a comparison with a literal, with which DuckDB prunes a scan, and an absent
 * bound disappears. The engine itself evaluates the expressions: a second implementation of GoogleSQL's functions could
 * differ.
 *
 * @param evaluate runs constant expressions, all at once if possible
 * @throws GatewayError BAD_USER_INPUT naming the parameter whose value makes an expression fail
 */
export async function foldConstants(
  statement: AnyNode,
  table: ConstantTable,
  evaluate: (questions: readonly ConstantQuestion[]) => Promise<readonly Known[]>,
): Promise<AnyNode> {
  for (let pass = 1; ; pass++) {
    const folded = new Folder(table).fold(statement);
    const questions = table.takeQuestions();
    if (questions.length === 0 || pass === maxPasses) return folded;
    const answers = await evaluate(questions);
    for (const [index, answer] of answers.entries())
      table.learn(questions[index] as ConstantQuestion, answer);
  }
}
