import { readFileSync } from 'node:fs';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variable that names a file with the value of another one. */
export function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

/**
 * The text of a setting that is secret: of its variable, or of the file that `<variable>_FILE` names, without the line break
 * at its end.
 *
 * @throws Error with what a person has to know when both are set, and when the file can't be read or is empty
 */
export function secretText(environment: Environment, variable: string): string | undefined {
  const file = environment[fileVariable(variable)];
  const text = environment[variable] || undefined;
  if (!file) return text;
  if (text !== undefined) throw new Error(`${variable} is set as well; only one of the two may be`);
  const read = contentOf(file).replace(/\r?\n$/, '');
  if (read === '') throw new Error('the file is empty');
  return read;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'it failed';
    throw new Error(`the file can not be read (${code})`);
  }
}
