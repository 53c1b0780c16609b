import { Budget, findMatch } from '../../../sql/regexp/machine.ts';
import { parsePattern } from '../../../sql/regexp/parse.ts';
import { compile, type Program } from '../../../sql/regexp/program.ts';
import { Failure } from '../../../sql/values/function-errors.ts';

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

/** All places of a program that a text can lead to. */
interface State {
  readonly places: readonly number[];
  /** Whether the text may end here. */
  readonly isEnd: boolean;
  /** The next state by character, as far as it is known. */
  readonly next: Map<string, State>;
}

/** Known steps beyond this many are forgotten. */
const maxKnown = 20_000;

/**
 * A deterministic automaton that accepts the whole texts that a program matches. It is made step by step as texts need
 * it. A known step takes one lookup, whatever the size of the program.
 */
class WholeAutomaton {
  readonly #instructions: Program['instructions'];
  #states = new Map<string, State>();
  #known = 0;

  private constructor({ instructions }: Program) {
    this.#instructions = instructions;
  }

  /** Undefined for a program with assertions such as `\b`: they depend on the characters around a place. */
  static of(program: Program): WholeAutomaton | undefined {
    const hasAssertion = program.instructions.some(({ kind }) => kind === 'assertion');
    return hasAssertion ? undefined : new WholeAutomaton(program);
  }

  /** @throws Refusal when the budget is exhausted */
  accepts(text: string, budget: Budget): boolean {
    let state = this.#stateAt([0]);
    for (const character of text) {
      state = state.next.get(character) ?? this.#step(state, character, budget);
      if (state.places.length === 0) return false;
    }
    return state.isEnd;
  }

  #step(state: State, character: string, budget: Budget): State {
    if (++this.#known > maxKnown) {
      this.#known = 0;
      this.#states = new Map();
    }
    const reached: number[] = [];
    for (const place of state.places) {
      const instruction = this.#instructions[place];
      if (instruction?.kind === 'character' && instruction.matches(character)) reached.push(place + 1);
    }
    const next = this.#stateAt(reached);
    budget.spend(state.places.length + next.places.length + 1);
    state.next.set(character, next);
    return next;
  }

  /** The state of all places that these lead to without consuming a character. */
  #stateAt(starts: readonly number[]): State {
    const seen = new Set<number>();
    const open = [...starts];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      const instruction = this.#instructions[place];
      if (instruction?.kind === 'jump') open.push(instruction.to);
      else if (instruction?.kind === 'split') open.push(instruction.first, instruction.second);
      else if (instruction?.kind === 'save') open.push(place + 1);
    }
    const places = [...seen].sort((a, b) => a - b);
    const key = places.join();
    let state = this.#states.get(key);
    if (state === undefined) {
      const isEnd = places.some((place) => this.#instructions[place]?.kind === 'match');
      state = { places, isEnd, next: new Map() };
      this.#states.set(key, state);
    }
    return state;
  }
}
