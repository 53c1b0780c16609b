/** Why a stream ended. */
export type StreamEnd = 'client' | 'slow' | 'key' | 'stop' | 'error';

/** Counts live answers. */
export interface LiveMeter {
  opened(): void;
  /**
   * @param cause `client` if it left, `slow` if it read too slowly, `key` if its key was revoked or has expired, `stop` if
   *   the gateway stops, and `error` for any other failure
   */
  ended(cause: StreamEnd): void;
  /** Counts an event that was sent. */
  sent(): void;
  /** Counts a slow client of a tail that was skipped forward. */
  skipped(): void;
  /** @param change 1 for one that is watched from now on, -1 for one that nobody watches any more */
  queries(kind: 'result' | 'tail', change: 1 | -1): void;
}

export const noLiveMeter: LiveMeter = { opened() {}, ended() {}, sent() {}, skipped() {}, queries() {} };
