/** A process that is ready, with its connection. */
export interface Supervised {
  readonly pid: number;
  /** Resolves with the reason for its end. */
  readonly exited: Promise<string>;
  /** Kills it. `exited` resolves with this reason, unless the process had already ended. */
  end(reason: string): Promise<void>;
}

/** Thrown for calls in flight when their process or thread ends. */
export class ProcessEndedError extends Error {
  override readonly name = 'ProcessEndedError';
}
