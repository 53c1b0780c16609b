/** Whether writing failed because the reader of a pipe, such as `head`, has enough. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
