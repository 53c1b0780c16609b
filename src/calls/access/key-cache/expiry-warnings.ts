import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { expiresSoon } from '../key/shown-key.ts';
import type { StoredKey } from '../key/stored-key.ts';
import type { KeySource } from './key-cache.ts';

/** How often keys are named again, in milliseconds. */
const dayMs = 86_400_000;
/** How often keys that aren't known yet are looked for, in milliseconds. */
const retryMs = 10_000;

interface ExpiryWarningsOptions {
  readonly source: Pick<KeySource, 'current'>;
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Names the keys that expire soon in the log, at the start and each day. */
export class ExpiryWarnings {
  readonly #options: ExpiryWarningsOptions;
  #timer: { cancel(): void };

  constructor(options: ExpiryWarningsOptions) {
    this.#options = options;
    this.#timer = this.#warn();
  }

  /** The keys that expire soon, the first of them first. Empty while the keys are not known. */
  expiring(): readonly StoredKey[] {
    const { source, clock } = this.#options;
    const now = clock.now();
    return (source.current() ?? [])
      .filter((key) => expiresSoon(key, now))
      .sort((a, b) => (a.expires ?? 0) - (b.expires ?? 0));
  }

  close(): void {
    this.#timer.cancel();
  }

  #warn(): { cancel(): void } {
    const { source, clock, log } = this.#options;
    for (const { name, id, expires = 0 } of this.expiring())
      log.warn('a key expires soon', { key: name, id, expires: new Date(expires).toISOString() });
    const next = source.current() === undefined ? retryMs : dayMs;
    return clock.after(next, () => {
      this.#timer = this.#warn();
    });
  }
}
