import { UsageError } from '../../base/errors/command-error.ts';
import { ConfigError } from '../../definitions/settings/config.ts';

/** The exit codes of all commands. A command that a signal has ended exits with 128 plus the signal's number. */
export const exitCodes = {
  success: 0,
  /** The command failed, or found errors. */
  failure: 1,
  /** An unknown command, option or argument, an invalid value of one, or invalid settings. */
  wrongUse: 2,
  /** `diff` found that answers can differ. */
  differences: 3,
  /** The reader of standard output has closed it: that of a process that SIGPIPE has ended. */
  brokenPipe: 141,
} as const;

/** The exit code of a command that threw an error. */
export function exitCodeOf(error: unknown): number {
  const isWrongUse = error instanceof UsageError || error instanceof ConfigError;
  return isWrongUse ? exitCodes.wrongUse : exitCodes.failure;
}
