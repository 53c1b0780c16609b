import type { Instruction, Program } from './program.ts';
import type { Assertion } from './syntax.ts';
import { Refusal } from './syntax.ts';

/** The start and end of a match and its groups, in characters. Undefined for a group that doesn't take part. */
export type Match = readonly (number | undefined)[];

/** The maximum number of steps per call, some tenths of a second: both text and program may be long. */
const maxSteps = 2_000_000;

export class Budget {
  #left = maxSteps;

  /** @throws Refusal when the steps are exhausted */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0)
      throw new Refusal('Resources exceeded: a regular expression takes too long on a text');
  }
}

interface Thread {
  readonly at: number;
  readonly slots: Match;
}

const isWord = (character: string | undefined) => character !== undefined && /^\w$/.test(character);

function holds(assertion: Assertion, text: readonly string[], at: number): boolean {
  const [before, after] = [text[at - 1], text[at]];
  switch (assertion) {
    case 'textStart':
      return at === 0;
    case 'textEnd':
      return at === text.length;
    case 'lineStart':
      return at === 0 || before === '\n';
    case 'lineEnd':
      return at === text.length || after === '\n';
    case 'wordBoundary':
      return isWord(before) !== isWord(after);
    case 'noWordBoundary':
      return isWord(before) === isWord(after);
  }
}

/**
 * The first match from a position, found by following all paths through the program at once (R. Pike's machine), in
 * linear time. Returns the match that a backtracking search would find.
 */
export function findMatch(
  { instructions }: Program,
  text: readonly string[],
  from: number,
  budget: Budget,
): Match | undefined {
  let threads: Thread[] = [];
  let found: Match | undefined;
  for (let at = from; at <= text.length; at++) {
    const seen = new Set<number>();
    const current: Thread[] = [];
    for (const thread of threads) follow(instructions, thread, text, at, seen, current);
    if (found === undefined) follow(instructions, { at: 0, slots: [at] }, text, at, seen, current);
    budget.spend(seen.size + 1);
    threads = [];
    for (const { at: step, slots } of current) {
      const instruction = instructions[step];
      if (instruction?.kind === 'match') {
        found = [slots[0], at, ...slots.slice(2)];
        break;
      }
      const character = text[at];
      if (character !== undefined && instruction?.kind === 'character' && instruction.matches(character))
        threads.push({ at: step + 1, slots });
    }
    if (threads.length === 0 && found !== undefined) return found;
  }
  return found;
}

/** Adds the steps that a thread reaches without consuming a character, in order of preference. */
function follow(
  instructions: readonly Instruction[],
  start: Thread,
  text: readonly string[],
  at: number,
  seen: Set<number>,
  into: Thread[],
): void {
  const open = [start];
  for (let thread = open.pop(); thread !== undefined; thread = open.pop()) {
    if (seen.has(thread.at)) continue;
    seen.add(thread.at);
    const instruction = instructions[thread.at];
    const { slots } = thread;
    switch (instruction?.kind) {
      case 'jump':
        open.push({ at: instruction.to, slots });
        break;
      case 'split':
        open.push({ at: instruction.second, slots }, { at: instruction.first, slots });
        break;
      case 'save': {
        const saved = [...slots];
        saved[instruction.slot] = at;
        open.push({ at: thread.at + 1, slots: saved });
        break;
      }
      case 'assertion':
        if (holds(instruction.assertion, text, at)) open.push({ at: thread.at + 1, slots });
        break;
      default:
        into.push(thread);
    }
  }
}
