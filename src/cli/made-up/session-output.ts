import type { Output } from '../../app/output.ts';
import type { Terminal } from '../progress.ts';

/** Where a session writes. The terminal gets the progress. */
export type SessionOutput = Output & { readonly terminal: Terminal };
