import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/** Gives memory back that nothing refers to, which takes some tenths of a second on a large heap. */
export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/** The function is there only in contexts that are made after the flag was set. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
