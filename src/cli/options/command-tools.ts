import type { Output } from '../../base/terminal/output.ts';
import type { Config } from '../../definitions/settings/config.ts';

/** What the declarations of commands use. */
export interface CommandTools {
  readonly output: Output;
  /**
   * Runs a command with the settings. The command's result is the exit code of the process. Errors become sentences on
   * standard error, and an exit code.
   *
   * @param receiver of warnings about settings: the command, for its own log, or standard error (default)
   */
  readonly run: (
    command: (config: Config, warnings: readonly string[]) => Promise<number>,
    receiver?: 'log' | 'err',
  ) => Promise<void>;
  /** The same for commands that read no settings, or read them later. */
  readonly runWithoutSettings: (command: () => Promise<number>) => Promise<void>;
  /**
   * Creates files with the user's default mode from now on, for commands that write files for others. Otherwise files are
   * private to the user.
   */
  readonly shareFiles: () => void;
  /** Lets the event loop of a gateway go first from now on, for commands that work beside one. */
  readonly lowerPriority: () => void;
}
