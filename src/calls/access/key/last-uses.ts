import { z } from 'zod';
import { maxFormer, type StoredKey } from './stored-key.ts';

/**
 * When keys were last used, to the minute, in milliseconds since the epoch: by the id of the key, and by the beginning of its
 * digest, because a key has several while a rotation lasts.
 */
export type LastUses = ReadonlyMap<string, ReadonlyMap<string, number>>;

const instant = z.iso.datetime().transform((text) => Date.parse(text));
const byDigest = z.record(z.string(), instant).transform((times) => new Map(Object.entries(times)));

/** The uses of all keys as JSON. */
export const lastUsesSchema = z
  .record(z.string(), byDigest)
  .transform((keys): LastUses => new Map(Object.entries(keys)));
/** The uses of one key as JSON. */
export const keyUsesSchema = byDigest;

const minuteMs = 60_000;

/** What stands for a digest in uses. */
export function shortDigest(digest: string): string {
  return digest.slice(0, 8);
}

/** @param time in milliseconds since the epoch */
export function toMinute(time: number): number {
  return time - (time % minuteMs);
}

/** As `keyUsesSchema` reads it. */
export function keyUsesJson(uses: ReadonlyMap<string, number>): Record<string, string> {
  return Object.fromEntries([...uses].map(([digest, time]) => [digest, new Date(time).toISOString()]));
}

/** The later times of both. Of a key, those of as many digests as can be valid at the same time. */
export function mergedUses(one: LastUses, other: LastUses): LastUses {
  const merged = new Map(one);
  for (const [id, times] of other) {
    const all = new Map(one.get(id));
    for (const [digest, time] of times) all.set(digest, Math.max(time, all.get(digest) ?? 0));
    merged.set(id, new Map([...all].sort(([, a], [, b]) => b - a).slice(0, maxFormer + 1)));
  }
  return merged;
}

/** The uses that are later than in the others. */
export function laterUses(uses: LastUses, others: LastUses): LastUses {
  return new Map(
    [...uses].flatMap(([id, times]) => {
      const later = [...times].filter(([digest, time]) => time > (others.get(id)?.get(digest) ?? 0));
      return later.length === 0 ? [] : [[id, new Map(later)] as const];
    }),
  );
}

/** When a key was last used, whichever of its texts; undefined if never. */
export function lastUseOf({ id }: Pick<StoredKey, 'id'>, uses: LastUses): number | undefined {
  const times = [...(uses.get(id)?.values() ?? [])];
  return times.length === 0 ? undefined : Math.max(...times);
}
