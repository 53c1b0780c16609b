import type { Rate } from './forms/rate.ts';
import type { Scope } from './scope.ts';

/** What the answers that a key gets are confined to. Absent is without bounds. */
export interface Bounds {
  /** The endpoints that may be called, by name or id. */
  readonly endpoints?: ReadonlySet<string>;
  /** What the parameter `project` may be, literally. */
  readonly projects?: ReadonlySet<string>;
  /** What other parameters have to be, literally, by their names; each is set to it where it is absent. */
  readonly pins?: ReadonlyMap<string, string>;
}

/** Who is calling. */
export interface Caller extends Bounds {
  /** The name of the key, for people; never the key itself. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Of a stored key: tells it from every other one, whatever they are called. No secret. */
  readonly id?: string;
  /** Whether rows are always redacted. */
  readonly redact?: boolean;
  /** Whether uploads may come as slowly as they like. */
  readonly mayPause?: boolean;
  /** How many requests may be made. */
  readonly rate?: Rate;
  /** Bytes that queries may be billed in a day (UTC). */
  readonly bytesPerDay?: number;
}

/** Whether the key sees only some of what there is. */
export function isBounded({ endpoints, projects, pins }: Bounds): boolean {
  return endpoints !== undefined || projects !== undefined || pins !== undefined;
}

const shares = new WeakMap<Caller, string>();
let lastShare = 0;

/**
 * What answers that this process keeps for a caller are kept under, beside what was asked: callers without bounds share them, and
 * one with bounds has his own, each of which was found to be within them. It holds neither a line break nor a space.
 */
export function cachePartition(caller: Caller): string {
  if (!isBounded(caller)) return '';
  const known = shares.get(caller);
  if (known !== undefined) return known;
  lastShare += 1;
  const share = `bounded-${lastShare}`;
  shares.set(caller, share);
  return share;
}
