import { expiryExpected, parseExpiry, parseTimeSpan, timeSpanExpected } from '../../../base/forms/expiry.ts';
import { type NameOption, OptionProblems } from './key-options.ts';
import { keyDigest, newKeyText, type RandomBytes } from './key-text.ts';
import { KeyRefusal, keyNamed } from './new-key.ts';
import { formerAt, maxFormer, maxRotations, type StoredKey, stateOf } from './stored-key.ts';

/** How to rotate a key, as given. */
export interface RotationOptions {
  /** How long earlier keys stay valid, such as `24h`; `0` ends them at once. */
  readonly overlap?: string | undefined;
  /** The new expiry; by default, the key keeps its own. */
  readonly expires?: string | undefined;
}

/** How to rotate a key. Times are in milliseconds since the epoch. */
interface Rotation {
  /** When the earlier keys end. */
  readonly end: number;
  readonly expires?: number;
}

/** How long earlier keys stay valid by default. */
export const defaultOverlap = '24h';

/**
 * @param now in milliseconds since the epoch
 * @throws OptionProblems
 */
export function readRotation(
  { overlap = defaultOverlap, expires: expiry }: RotationOptions,
  now: number,
  nameOf: NameOption,
): Rotation {
  const milliseconds = overlap === '0' ? 0 : parseTimeSpan(overlap);
  const expires = expiry === undefined ? undefined : parseExpiry(expiry, now);
  const problems = [
    ...(milliseconds === undefined
      ? [
          {
            option: 'overlap',
            text: `expected 0 or ${timeSpanExpected}, got ${JSON.stringify(overlap)}`,
          } as const,
        ]
      : []),
    ...(expiry !== undefined && (expires === undefined || expires <= now)
      ? [{ option: 'expires', text: `${expiryExpected}, got ${JSON.stringify(expiry)}` } as const]
      : []),
  ];
  if (problems.length > 0) throw new OptionProblems(problems, nameOf);
  return { end: now + (milliseconds ?? 0), ...(expires !== undefined && { expires }) };
}

interface NewText {
  /** The new key itself, which is never stored. */
  readonly text: string;
  /**
   * The stored key with the digest of the new text.
   *
   * @throws UnknownKey; KeyRefusal if the key is not active, or too many earlier ones are
   */
  readonly applyTo: (keys: readonly StoredKey[], named: string) => StoredKey;
}

/**
 * Replaces a key by a new one with the same id, name and restrictions. Those before it are valid until the end of the overlap: each
 * until its own, if that is earlier. So one rotation never ends what another one has just made or kept, unless it says so.
 *
 * @param now in milliseconds since the epoch
 */
export function rotatedKey({ end, expires }: Rotation, now: number, random?: RandomBytes): NewText {
  const text = newKeyText(random);
  return {
    text,
    applyTo(keys, named) {
      const key = keyNamed(keys, named, now);
      const state = stateOf(key, now);
      const called = `The key ${JSON.stringify(key.name)} (${key.id})`;
      if (state !== 'active') throw new KeyRefusal(`${called} is ${state}. Create another one.`);
      const { former: _, ...lasting } = key;
      const former = [...formerAt(key, now), { digest: key.digest, expires: key.expires ?? end }]
        .map((each) => ({ ...each, expires: Math.min(each.expires, end) }))
        .filter((each) => each.expires > now);
      if (former.length > maxFormer) {
        const reason = `${maxFormer} earlier keys are still valid`;
        throw new KeyRefusal(
          `${called} was rotated too often: ${reason}. Wait, or end them by an overlap of 0.`,
        );
      }
      return {
        ...lasting,
        digest: keyDigest(text),
        // Of two versions, the one with the later rotation holds.
        rotated: Math.max(now, (key.rotated ?? key.created) + 1),
        ...(key.rotated !== undefined && {
          rotatedBefore: [...(key.rotatedBefore ?? []), key.rotated].slice(-maxRotations),
        }),
        ...(expires !== undefined && { expires }),
        ...(former.length > 0 && { former }),
      };
    },
  };
}
