import { setTimeout } from 'node:timers/promises';
import { AnalyzerDefect, AnalyzerError } from './error.ts';
import type { AnalyzerSession } from './session.ts';

// gRPC status codes (https://grpc.io/docs/guides/status-codes/)
const unknown = 2;
const invalidArgument = 3;
const deadlineExceeded = 4;
const resourceExhausted = 8;
const internal = 13;
const unavailable = 14;

/** Milliseconds to wait until a process whose connection broke has exited, before it is ended. */
const exitNoticeMs = 200;

/**
 * In how many processes a call is tried that end during it. One that crashes may have been damaged by a call before, and one that is
 * killed was ended by someone else.
 */
const tries = { crashed: 2, killed: 3 };

/** The process of a call gave no answer, and has ended. */
export class LostAnswer extends Error {
  override readonly name = 'LostAnswer';
  /** The call is to blame if it was tried as often. */
  readonly tries: number;

  constructor(message: string, tries: number) {
    super(message);
    this.tries = tries;
  }
}

/**
 * The answer of a session's call.
 *
 * @throws LostAnswer when the process didn't answer; it has ended then; otherwise the error of gRPC, for {@link describe}
 */
export async function answerOf<T>(session: AnalyzerSession, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { code, details } = error as { code?: unknown; details?: unknown };
    if (code === deadlineExceeded) throw await lost(session, 'The query took too long to analyze');
    // Out of memory, the program survives, and reports only this.
    if (code === unknown && details === 'Unexpected error in RPC handling')
      throw await lost(session, 'The query takes too much memory to analyze');
    if (isBrokenAnswer(error)) session.reconnect();
    if (code !== unavailable && !isRefusedUnread(error)) throw error;
    // The connection breaks shortly before the exit of the process is noticed.
    const reason = await Promise.race([session.exited, setTimeout(exitNoticeMs)]);
    await session.end(endedBy);
    throw new LostAnswer(endedBy, /^signal (?!SIGKILL)/.test(reason ?? '') ? tries.crashed : tries.killed);
  }
}

/** Ends a process that certainly its only call has brought down. */
async function lost(session: AnalyzerSession, message: string): Promise<LostAnswer> {
  await session.end(message);
  return new LostAnswer(message, 1);
}

/** Whether the process had no thread for a call and has not read it. */
function isRefusedUnread(error: unknown): boolean {
  const { code, details } = error as { code?: unknown; details?: unknown };
  return code === resourceExhausted && details === 'Server Threadpool Exhausted';
}

const tooDeep = 'The query is too large or too deeply nested';

export const endedBy = 'The SQL analyzer stopped while it worked on this query';

/** Whether the response broke the HTTP/2 connection, as an error message above 64 KiB does. */
function isBrokenAnswer(error: unknown): boolean {
  const { code, details } = error as { code?: unknown; details?: unknown };
  return code === internal && typeof details === 'string' && details.includes('RST_STREAM');
}

/** The error of a call that was answered with one. */
export function describe(error: unknown): Error {
  const { code, details } = error as { code?: unknown; details?: unknown };
  const text = typeof details === 'string' ? details : '';
  switch (code) {
    case invalidArgument:
      return AnalyzerError.parse(text);
    case resourceExhausted:
      return new AnalyzerError(tooDeep);
    case internal:
      // The tree is deeper than this thread's stack.
      if (text.startsWith('Response message parsing error')) return new AnalyzerError(tooDeep);
      // The message quotes the text, which can exceed what gRPC carries.
      return isBrokenAnswer(error)
        ? new AnalyzerError('The query has an error in a name or literal that is too long to be shown')
        : new AnalyzerDefect(text);
    default:
      if (typeof code === 'number' && text !== '') return AnalyzerError.parse(text);
      return error instanceof Error ? error : new Error(String(error));
  }
}
