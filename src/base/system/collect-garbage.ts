import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options?: { readonly type: 'minor' } | { readonly flavor: 'last-resort' }) => void;

let collect: Collect | undefined;

/** Collects all garbage, which takes some tenths of a second on a large heap. */
export function collectGarbage(): void {
  collect ??= collector();
  collect();
}

/** Collects only young garbage, which takes some milliseconds. */
export function collectYoungGarbage(): void {
  collect ??= collector();
  collect({ type: 'minor' });
}

/** Collects all garbage and returns its memory to the system, which V8 would keep for the next load. Takes longer. */
export function returnGarbage(): void {
  collect ??= collector();
  collect({ flavor: 'last-resort' });
}

/** The function exists only in contexts created after the flag was set. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
