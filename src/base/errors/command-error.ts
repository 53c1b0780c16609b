/** Why a command can't do what it was asked for, in words for the operator. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** An error of the file system as a `CommandError`; others unchanged. */
export function readableError(error: unknown): unknown {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  return isOfSystem ? new CommandError(error.message, error) : error;
}
