import type { z } from 'zod';

/** One setting: how it is read from its environment variable, and what a reader of the README is told. */
export interface Setting<T> {
  readonly variable: string;
  /** The default as the README shows it. */
  readonly defaultText: string;
  readonly meaning: string;
  /** Reads the variable's text; undefined stands for a variable that is unset or empty. */
  readonly schema: z.ZodType<T>;
  /** Whether `<variable>_FILE` may name a file that holds the text. */
  readonly isSecret?: true;
}

/** A setting, as `Setting` describes its parts. */
export function setting<T>(
  variable: string,
  schema: z.ZodType<T>,
  defaultText: string,
  meaning: string,
): Setting<T> {
  return { variable, defaultText, meaning, schema };
}

/** A setting that nobody should read in a list of processes or their variables: a file may hold it. */
export function secret<T>(setting: Setting<T>): Setting<T> {
  return { ...setting, isSecret: true };
}
