import { setTimeout } from 'node:timers/promises';
import type { AnyNode } from '../resolved/node.ts';
import type { SqlType } from '../type.ts';
import type { Catalog } from './catalog.ts';
import { catalogToProto } from './catalog.ts';
import { AnalyzerError, AnalyzerOverwhelmedError, AnalyzerUnavailableError } from './error.ts';
import { analyzerOptions, languageOptions } from './language.ts';
import { checkNameLengths } from './name-lengths.ts';
import type { AnalyzerLimits } from './process.ts';
import type { AnalyzerMethod } from './protocol.ts';
import { Quarantine } from './quarantine.ts';
import { AnalyzerSession } from './session.ts';
import { Turns } from './turns.ts';

export interface AnalyzerSettings extends AnalyzerLimits {
  /** Milliseconds that one call may take. At its end the process is killed: nothing else stops its work. */
  readonly timeoutMs: number;
}

export const defaultAnalyzerSettings: AnalyzerSettings = {
  memoryMb: 3000,
  stackKb: 65_536,
  timeoutMs: 10_000,
};

/** Address space that the program takes for itself, in MiB (measured). */
const ownMemoryMb = 1200;

/**
 * Calls that a process is given at the same time. Each has a thread of its own there, with a stack; without address space for it,
 * the call is refused. Half of what there is is for stacks, the rest for what is analyzed.
 */
function callsAtOnce({ memoryMb, stackKb }: AnalyzerLimits): number {
  return Math.max(1, Math.floor((memoryMb - ownMemoryMb) / 2 / (stackKb / 1024)));
}

/** Is told, for the operator, what became of a process. */
export type TellOfAnalyzer = (message: string, fields: { readonly reason: string }) => void;

const emptyCatalog: Catalog = { tables: [] };

// gRPC status codes (https://grpc.io/docs/guides/status-codes/)
const unknown = 2;
const invalidArgument = 3;
const deadlineExceeded = 4;
const resourceExhausted = 8;
const internal = 13;
const unavailable = 14;

/** Milliseconds to wait for the end of a process whose connection broke, before calling again all the same. */
const exitNoticeMs = 200;

/** Milliseconds to wait for a thread of the process. */
const busyPauseMs = 20;

/** Pauses before the first restarts of a process that keeps dying, in milliseconds; the last one repeats. */
const restartPausesMs = [0, 50, 200, 1000, 5000];

/**
 * Google's GoogleSQL analyzer, kept running: a child process that is replaced when it dies or hangs. A call
 * that was under way then is made once more, where it can't harm others: only one that fails again is to blame.
 */
export class Analyzer {
  readonly #settings: AnalyzerSettings;
  readonly #tell: TellOfAnalyzer;
  /** Those that are ended because they hang. */
  readonly #hanging = new WeakSet<AnalyzerSession>();
  #session: Promise<AnalyzerSession>;
  #failedStarts = 0;
  readonly #closing = new AbortController();
  readonly #quarantine: Quarantine;
  readonly #turns: Turns;

  private constructor(settings: AnalyzerSettings, tell: TellOfAnalyzer) {
    this.#settings = settings;
    this.#tell = tell;
    this.#quarantine = new Quarantine(settings);
    this.#turns = new Turns(callsAtOnce(settings));
    this.#session = this.#start();
  }

  /** @throws AnalyzerUnavailableError when the program can't be started. */
  static async start(
    settings: AnalyzerSettings = defaultAnalyzerSettings,
    tell: TellOfAnalyzer = () => {},
  ): Promise<Analyzer> {
    const analyzer = new Analyzer(settings, tell);
    try {
      await analyzer.#current();
    } catch (error) {
      await analyzer.close();
      throw error;
    }
    return analyzer;
  }

  /** The process now in use, for tests and for operators. */
  async pid(): Promise<number | undefined> {
    return (await this.#session).pid;
  }

  /**
   * Types and resolves one query statement.
   *
   * @param sql GoogleSQL text
   * @returns the resolved statement in the analyzer's wire form
   * @throws AnalyzerError when the text is wrong, AnalyzerUnavailableError when the analyzer fails on it
   */
  async analyze(
    sql: string,
    context: { readonly catalog: Catalog; readonly parameters: ReadonlyMap<string, SqlType> },
  ): Promise<AnyNode> {
    checkNameLengths(sql);
    const answer = (await this.#call('analyze', async (session) => ({
      sql_statement: sql,
      registered_catalog_id: await session.register(context.catalog, catalogToProto),
      options: analyzerOptions(context.parameters),
    }))) as { resolved_statement: AnyNode };
    return answer.resolved_statement;
  }

  /**
   * Parses one statement without resolving names.
   *
   * @returns the statement of the parse tree in the analyzer's wire form
   * @throws as `analyze` does
   */
  async parse(sql: string): Promise<AnyNode> {
    checkNameLengths(sql);
    try {
      const answer = await this.call('parse', { sql_statement: sql, options: languageOptions });
      return (answer as { parsed_statement: AnyNode }).parsed_statement;
    } catch (error) {
      // Only an analysis tells where a syntax error stands.
      if (error instanceof AnalyzerError) {
        await this.analyze(sql, { catalog: emptyCatalog, parameters: new Map() });
      }
      throw error;
    }
  }

  /** Any call of the service, with this class's care for dead and hanging processes. */
  async call(method: AnalyzerMethod, request: object): Promise<unknown> {
    return this.#call(method, async () => request);
  }

  /** Ends the process. Calls under way are rejected. */
  async close(): Promise<void> {
    this.#closing.abort();
    const session = await this.#session.catch(() => undefined);
    await Promise.all([session?.stop(), this.#quarantine.close()]);
  }

  async #call(
    method: AnalyzerMethod,
    request: (session: AnalyzerSession) => Promise<object>,
  ): Promise<unknown> {
    let suspect = false;
    const giveUpAt = performance.now() + this.#settings.timeoutMs;
    for (;;) {
      let session: AnalyzerSession | undefined;
      let started = 0;
      try {
        return await this.#turns.run(async () => {
          const current = await this.#current();
          session = current;
          started = performance.now();
          const message = await request(current);
          return suspect ? current.callAlone(method, message) : current.call(method, message);
        });
      } catch (error) {
        if (session === undefined) throw error;
        const { code } = error as { code?: unknown };
        const isHanging = code === deadlineExceeded;
        if (isHanging) {
          this.#hanging.add(session);
          await session.stop();
        }
        if ((isHanging || isUnexpectedEnd(error)) && !this.#closing.signal.aborted) {
          // The connection breaks a moment before the process is seen to have ended.
          if (code === unavailable) await Promise.race([session.exited, setTimeout(exitNoticeMs)]);
          return this.#callAgain(method, request, performance.now() - started);
        }
        if (isRefusedUnread(error) && started < giveUpAt) {
          await setTimeout(busyPauseMs);
          continue;
        }
        if (!isBrokenAnswer(error) || suspect) throw describe(error);
        suspect = true;
        session.reconnect();
      }
    }
  }

  /** A call that was under way when the process ended, hung, or ran out of memory, for its own or another call's sake. */
  #callAgain(
    method: AnalyzerMethod,
    request: (session: AnalyzerSession) => Promise<object>,
    spentMs: number,
  ): Promise<unknown> {
    return this.#quarantine.run(spentMs, async (session) => {
      try {
        return await session.call(method, await request(session));
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code !== deadlineExceeded && !isUnexpectedEnd(error)) throw describe(error);
        await session.stop();
        throw code === deadlineExceeded ? tooSlow() : new AnalyzerOverwhelmedError(endedBy);
      }
    });
  }

  async #current(): Promise<AnalyzerSession> {
    if (this.#closing.signal.aborted) throw new AnalyzerUnavailableError('The SQL analyzer was stopped');
    try {
      return await this.#session;
    } catch (cause) {
      throw new AnalyzerUnavailableError(`The SQL analyzer can't be started: ${reasonOf(cause)}`, { cause });
    }
  }

  #start(): Promise<AnalyzerSession> {
    const session = AnalyzerSession.start(this.#settings, this.#settings.timeoutMs);
    session.then(
      (started) => {
        const startedAt = performance.now();
        void started.exited.then((ending) => {
          const hung = this.#hanging.has(started);
          const reason = hung ? `no answer within ${this.#settings.timeoutMs} ms` : ending;
          if (!this.#closing.signal.aborted)
            this.#tell('The SQL analyzer ended, and is started again', { reason });
          // One that lived for a while died of a single query: the next one starts at once.
          if (performance.now() - startedAt > 1000) this.#failedStarts = 0;
          this.#restart();
        });
      },
      (cause) => {
        if (!this.#closing.signal.aborted)
          this.#tell("The SQL analyzer can't be started, which is tried again", { reason: reasonOf(cause) });
        this.#restart();
      },
    );
    return session;
  }

  #restart(): void {
    if (this.#closing.signal.aborted) return;
    const pause = restartPausesMs[Math.min(this.#failedStarts++, restartPausesMs.length - 1)] ?? 0;
    const restarted = setTimeout(pause, undefined, { signal: this.#closing.signal }).then(() =>
      this.#start(),
    );
    // Whoever asks meanwhile waits for it and sees the failure; nobody asking is no unhandled rejection.
    restarted.catch(() => {});
    this.#session = restarted;
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Whether the process died, or ran out of memory: the program lives on then, and says no more than this. */
function isUnexpectedEnd(error: unknown): boolean {
  const { code, details } = error as { code?: unknown; details?: unknown };
  return code === unavailable || (code === unknown && details === 'Unexpected error in RPC handling');
}

/** Whether the process had no thread for a call, which it hasn't looked at. Threads stay for a moment after their calls. */
function isRefusedUnread(error: unknown): boolean {
  const { code, details } = error as { code?: unknown; details?: unknown };
  return code === resourceExhausted && details === 'Server Threadpool Exhausted';
}

const endedBy = 'The SQL analyzer stopped while it worked on this query';

function tooSlow(): AnalyzerOverwhelmedError {
  return new AnalyzerOverwhelmedError('The query took too long to analyze');
}

/** Whether the answer broke the HTTP/2 connection, as an error message above 64 KiB does. */
function isBrokenAnswer(error: unknown): boolean {
  const { code, details } = error as { code?: unknown; details?: unknown };
  return code === internal && typeof details === 'string' && details.includes('RST_STREAM');
}

function describe(error: unknown): Error {
  const { code, details } = error as { code?: unknown; details?: unknown };
  const text = typeof details === 'string' ? details : '';
  switch (code) {
    case invalidArgument:
      return AnalyzerError.parse(text);
    case resourceExhausted:
      return isRefusedUnread(error)
        ? new AnalyzerUnavailableError('The SQL analyzer is busy', { cause: error })
        : new AnalyzerError('The query is too large or too deeply nested');
    case unavailable:
      return new AnalyzerUnavailableError(endedBy);
    case internal:
      // Its sentence quotes the text it is about, which can outgrow what gRPC carries.
      return isBrokenAnswer(error)
        ? new AnalyzerError('The query has an error in a name or literal that is too long to be shown')
        : new AnalyzerUnavailableError('The SQL analyzer failed on this query', { cause: error });
    default:
      if (typeof code === 'number' && text !== '') return AnalyzerError.parse(text);
      return error instanceof Error ? error : new Error(String(error));
  }
}
