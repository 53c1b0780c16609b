import { fileFailure, readWrittenFileSync } from '../../base/system/read-written-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A larger file is none of a secret. */
const maxSecretBytes = 1_000_000;

/** The variable that names a file with the value of another variable. */
export function fileVariable(variable: string): string {
  return `${variable}_FILE`;
}

/**
 * The text of a secret setting, from its variable or from the file that `<variable>_FILE` names. A line break at the end of
 * the file is removed.
 *
 * @throws Error if both are set, or if the file can't be read or is empty. The message is meant for operators.
 */
export function secretText(environment: Environment, variable: string): string | undefined {
  const file = environment[fileVariable(variable)];
  const text = environment[variable] || undefined;
  if (!file) return text;
  if (text !== undefined) throw new Error(`${variable} is also set. Set only one of them.`);
  const read = contentOf(file).replace(/\r?\n$/, '');
  if (read === '') throw new Error('the file is empty');
  return read;
}

function contentOf(file: string): string {
  try {
    return readWrittenFileSync(file, maxSecretBytes).toString();
  } catch (error) {
    throw new Error(`cannot read the file (${fileFailure(error)})`);
  }
}
