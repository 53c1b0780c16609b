import type { Assertion, Node, Pattern } from './syntax.ts';
import { Failure } from './syntax.ts';

/** One instruction of a matching machine. */
export type Instruction =
  | { readonly kind: 'character'; readonly matches: (character: string) => boolean }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'save'; readonly slot: number }
  /** Continues at both places and prefers the first. */
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'match' };

export interface Program {
  readonly instructions: readonly Instruction[];
  readonly groups: number;
}

/** Repetitions are expanded, so a short pattern can become a large program. */
const maxInstructions = 10_000;

/** Slots 2n and 2n + 1 contain the start and end of group n. Group 0 is the whole match. */
export function compile({ root, groups }: Pattern): Program {
  const instructions: Instruction[] = [];
  const add = <T extends Instruction>(instruction: T): T => {
    if (instructions.length >= maxInstructions)
      throw new Failure('Cannot parse regular expression: pattern too large - compile failed');
    instructions.push(instruction);
    return instruction;
  };
  const here = () => instructions.length;

  const choice = (options: readonly Node[]): void => {
    const [option, ...rest] = options;
    if (option === undefined) return;
    if (rest.length === 0) {
      write(option);
      return;
    }
    const split = add({ kind: 'split', first: here() + 1, second: 0 });
    write(option);
    const jump = add({ kind: 'jump', to: 0 });
    split.second = here();
    choice(rest);
    jump.to = here();
  };

  const optional = (inner: Node, isGreedy: boolean, andAgain: boolean): void => {
    const start = here();
    const split = add({ kind: 'split', first: 0, second: 0 });
    const body = here();
    write(inner);
    if (andAgain) add({ kind: 'jump', to: start });
    [split.first, split.second] = isGreedy ? [body, here()] : [here(), body];
  };

  const repeat = (inner: Node, min: number, max: number, isGreedy: boolean): void => {
    for (let i = 0; i < min; i++) write(inner);
    if (max === Number.POSITIVE_INFINITY) optional(inner, isGreedy, true);
    else for (let i = min; i < max; i++) optional(inner, isGreedy, false);
  };

  const write = (node: Node): void => {
    switch (node.kind) {
      case 'empty':
        return;
      case 'character':
        add({ kind: 'character', matches: node.matches });
        return;
      case 'assertion':
        add({ kind: 'assertion', assertion: node.assertion });
        return;
      case 'sequence':
        node.parts.forEach(write);
        return;
      case 'choice':
        choice(node.options);
        return;
      case 'group':
        add({ kind: 'save', slot: 2 * node.index });
        write(node.inner);
        add({ kind: 'save', slot: 2 * node.index + 1 });
        return;
      case 'repeat':
        repeat(node.inner, node.min, node.max, node.isGreedy);
    }
  };

  write(root);
  add({ kind: 'match' });
  return { instructions, groups };
}
