import { fileFailure } from '../system/read-written-file.ts';
/** Why a command can't do what it was asked for, in words for the operator. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** An error of the file system as a `CommandError`; others unchanged. */
export function readableError(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error;
  const file = 'path' in error ? `${error.path}: ` : '';
  return new CommandError(`${file}${fileFailure(error)}`, error);
}

/** Why a command was used wrongly: an argument or option, or the value of one, that is invalid. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/**
 * Why a file that was given can't be read, as a sentence without its full stop that names the file and what it is instead.
 *
 * @param file the path as it was given
 * @returns undefined for errors that are not of the file system
 */
export function unreadableFile(file: string, error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `There is no file ${file}`;
    case 'EISDIR':
      return `${file} is a folder, not a file`;
    case 'EACCES':
    case 'EPERM':
      return `This user may not read ${file}`;
    default:
      return `${file}: ${fileFailure(error)}`;
  }
}
