import type { Caller } from '../caller/caller.ts';

/** The key under which an issuer makes tokens. */
export interface IssuerKey {
  /** The same object as long as the key is the same. */
  readonly caller: Caller;
  /** When the key was created, in milliseconds since the epoch. Absent if it isn't a stored key. */
  readonly created?: number;
  /** Whether an earlier key had the name by which the key is known, and so its tokens. */
  readonly hadPredecessor?: boolean;
}
