import type { Failure } from '../../../api/failure.ts';

/** How it is with the stream of a tail. */
export type TailStatus =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  /** It connects again at this time, in milliseconds since the epoch. Without a failure, the gateway has ended it. */
  | { readonly state: 'waiting'; readonly until: number; readonly failure: Failure | undefined }
  /** It does not connect again by itself. */
  | { readonly state: 'ended'; readonly failure: Failure };
