import type { z } from 'zod';

/** One setting: how to read it from its environment variable, and its row in docs/settings.md. */
export interface Setting<T> {
  readonly variable: string;
  /** The default, as shown in docs/settings.md. */
  readonly defaultText: string;
  readonly meaning: string;
  /** Parses the variable's text. An unset or empty variable is undefined. */
  readonly schema: z.ZodType<T>;
  /** Whether `<variable>_FILE` can name a file that contains the text. */
  readonly isSecret?: true;
  /** What to do instead of setting a deprecated variable, as a sentence. */
  readonly instead?: string;
}

/** Defines a setting. See `Setting` for its parts. */
export function setting<T>(
  variable: string,
  schema: z.ZodType<T>,
  defaultText: string,
  meaning: string,
): Setting<T> {
  return { variable, defaultText, meaning, schema };
}

/** Marks a setting as secret: a file can hold it, so that it does not appear among a process's variables. */
export function secret<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, isSecret: true };
}

/**
 * Marks a setting as deprecated: it still works, but causes a warning at startup. CHANGELOG.md names it, too.
 *
 * @param instead what to do instead, as a sentence
 */
export function deprecated<T>(setting: Setting<T>, instead: string): Setting<T> {
  return { ...setting, meaning: `Deprecated. ${setting.meaning} ${instead}`, instead };
}
