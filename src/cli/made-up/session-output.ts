import type { Output } from '../../base/terminal/output.ts';
import type { Terminal } from '../output/progress.ts';

/** Where a session writes. The terminal gets the progress, and the log the warnings about settings. */
export type SessionOutput = Output & { readonly terminal: Terminal; readonly warnings: readonly string[] };
