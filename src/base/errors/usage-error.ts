import { CommandError } from './command-error.ts';

/** Why a command was used wrongly: an argument or option, or the value of one, that is invalid. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}
