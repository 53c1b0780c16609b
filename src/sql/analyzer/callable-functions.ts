import { type DeclaredFunction, declaredFunctions } from './declared-functions.ts';
import { builtinFunctionOptions } from './language.ts';
import type { AnalyzerMethod } from './protocol/protocol.ts';

/** A function that queries can call by its name. */
export interface CallableFunction {
  /** As people write it, such as `NET.HOST`. */
  readonly name: string;
  readonly kind: 'scalar' | 'aggregate' | 'window';
}

type Mode = DeclaredFunction['mode'] | 'ANALYTIC';

/** A function in the analyzer's answer. */
interface Builtin {
  readonly name_path: readonly string[];
  readonly mode?: Mode;
  readonly options?: { readonly alias_name?: string };
}

/** Those with a syntax of their own, which the analyzer doesn't count as functions. */
const special = ['CAST', 'EXTRACT', 'SAFE_CAST'];

/**
 * The functions that the analyzer knows and those that are declared to it, with their aliases, in the order of names.
 *
 * @param call calls the analyzer
 */
export async function callableFunctions(
  call: (method: AnalyzerMethod, request: object) => Promise<unknown>,
): Promise<readonly CallableFunction[]> {
  // Its form is the analyzer's protocol.
  const answer = (await call('getBuiltinFunctions', builtinFunctionOptions)) as {
    readonly function: readonly Builtin[];
  };
  const kinds = new Map<string, CallableFunction['kind']>(special.map((name) => [name, 'scalar']));
  for (const { name_path, mode, options } of answer.function) {
    const names = [name_path.join('.'), options?.alias_name ?? ''];
    for (const name of names.filter(isWritten)) kinds.set(name.toUpperCase(), kindOf(mode));
  }
  for (const { name, mode } of declaredFunctions) kinds.set(name.toUpperCase(), kindOf(mode));
  return [...kinds].map(([name, kind]) => ({ name, kind })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Names with a dollar are operators. */
function isWritten(name: string): boolean {
  return name !== '' && !name.startsWith('$');
}

function kindOf(mode: Mode = 'SCALAR'): CallableFunction['kind'] {
  switch (mode) {
    case 'AGGREGATE':
      return 'aggregate';
    case 'ANALYTIC':
      return 'window';
    case 'SCALAR':
      return 'scalar';
  }
}
