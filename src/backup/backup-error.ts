/** Why a backup can't be made or restored, in words for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** An error of the file system as a `BackupError`; others unchanged. */
export function readableError(error: unknown): unknown {
  const isOfSystem = error instanceof Error && 'syscall' in error;
  return isOfSystem ? new BackupError(error.message, error) : error;
}
