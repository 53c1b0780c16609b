import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { readonly type: 'minor' }) => void;

let collect: Collect | undefined;

/** Gives memory back that nothing refers to, which takes some tenths of a second on a large heap. */
export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/** Does so for what was made just now only, which takes some milliseconds. */
export function collectYoungGarbage(): void {
  collect ??= collector();
  collect({ type: 'minor' });
}

/** The function is there only in contexts that are made after the flag was set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
