import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

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

/** A whole number with a default. */
export function integer(defaultValue: number, min: number, max: number) {
  return wholeNumber(min, max).default(defaultValue);
}

/** An optional whole number. */
export function optionalInteger(min: number, max: number) {
  return wholeNumber(min, max).optional();
}

function wholeNumber(min: number, max: number) {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,16}$/, expected)
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

/** `true` or `false`. */
export function flag(defaultValue: boolean) {
  return z
    .enum(['true', 'false'], 'expected true or false')
    .transform((text) => text === 'true')
    .default(defaultValue);
}

/** A folder, as an absolute path. */
export function directory(defaultPath: string) {
  return z
    .string()
    .default(defaultPath)
    .transform((path) => resolve(path));
}

/** A folder, as an absolute path. By default, this folder of a project if the current folder has it, else the shipped one. */
export function projectDirectory(name: string, shipped: string) {
  return z
    .string()
    .default(() => (statSync(name, { throwIfNoEntry: false })?.isDirectory() ? name : shipped))
    .transform((path) => resolve(path));
}

/** `a=x,b=y`, as a map in the given order. A name can appear only once. */
export function namedValues(value: RegExp, expected: string) {
  return z
    .string()
    .default('')
    .transform((text, context) => {
      const pairs = new Map<string, string>();
      const refuse = (message: string) => {
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      };
      for (const item of itemsOf(text)) {
        const [, name = '', named = ''] = /^([^=]+)=(.*)$/.exec(item) ?? [];
        if (name === '' || !value.test(named)) return refuse(`${expected}, got "${item}"`);
        if (pairs.has(name)) return refuse(`"${name}" appears twice`);
        pairs.set(name, named);
      }
      return pairs as ReadonlyMap<string, string>;
    });
}

function itemsOf(list: string): string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
