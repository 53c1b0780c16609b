import { existsSync } from 'node:fs';
import { describe } from 'vitest';

/** Tests with a program of the system's: skipped where it isn't installed, except by CI, where they fail then. */
export function describeWith(program: string): typeof describe | typeof describe.skip {
  return existsSync(program) || process.env.CI === 'true' ? describe : describe.skip;
}
