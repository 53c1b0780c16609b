import { isCode } from '../../base/system/is-code.ts';
/** Whether writing failed because the reader of a pipe, such as `head`, has enough. */
export function isBrokenPipe(error: unknown): boolean {
  return isCode(error, 'EPIPE');
}
