import { Budget, findMatch } from '../../../sql/regexp/machine.ts';
import { parsePattern } from '../../../sql/regexp/parse.ts';
import { compile, type Program } from '../../../sql/regexp/program.ts';
import { Failure } from '../../../sql/values/function-errors.ts';
import { WholeAutomaton } from './whole-automaton.ts';

/** A pattern in RE2's syntax that a whole text must match. */
export class WholeMatch {
  readonly #program: Program;
  readonly #automaton: WholeAutomaton | undefined;

  /** @throws PatternMistake */
  constructor(pattern: string) {
    try {
      const { root, groups } = parsePattern(pattern);
      const start = { kind: 'assertion', assertion: 'textStart' } as const;
      const end = { kind: 'assertion', assertion: 'textEnd' } as const;
      this.#program = compile({ root: { kind: 'sequence', parts: [start, root, end] }, groups });
      this.#automaton = WholeAutomaton.of(compile({ root, groups }));
    } catch (error) {
      if (error instanceof Failure) throw new PatternMistake(error.message);
      throw error;
    }
  }

  /**
   * Begins a series of tests, which share a limit on their work: both pattern and texts may be long. A test returns
   * undefined when the limit is exceeded.
   */
  begin(): (text: string) => boolean | undefined {
    const budget = new Budget();
    return (text) => {
      try {
        budget.spend(text.length);
        if (this.#automaton !== undefined) return this.#automaton.accepts(text, budget);
        return findMatch(this.#program, Array.from(text), 0, budget) !== undefined;
      } catch (error) {
        if (error instanceof Failure) return undefined;
        throw error;
      }
    };
  }
}

/** A pattern that is not valid in RE2's syntax, or is too large. */
export class PatternMistake extends Error {
  override readonly name = 'PatternMistake';
}
