/** A process that runs and is ready, with whatever is needed to speak with it. */
export interface Supervised {
  readonly pid: number;
  /** Resolves with what ended it. */
  readonly exited: Promise<string>;
  /** Ends it at once. `exited` resolves with this reason, unless it had ended already. */
  end(reason: string): Promise<void>;
}
