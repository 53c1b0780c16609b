import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { never } from '../../base/async/race-with-abort.ts';
import { type Account, ownAccount } from '../../base/fairness/account.ts';
import { FairLimit } from '../../base/fairness/fair-limit.ts';
import { Spare } from '../../base/processes/spare.ts';
import { ProcessUnavailableError, Supervisor } from '../../base/processes/supervisor.ts';
import { Suspects } from '../../base/processes/suspects.ts';
import { type Clock, systemClock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { AnyNode } from '../resolved/node.ts';
import type { PlacedText } from '../text/place.ts';
import { queryOnly } from '../text/query-only.ts';
import type { SqlType } from '../values/type.ts';
import { annotateStatement } from './annotate-statement.ts';
import type { Catalog, CatalogFunction } from './catalog.ts';
import { catalogToProto, withOptionsIn } from './catalog.ts';
import { dayTables, overWholeTables } from './day-tables.ts';
import {
  AnalyzerDefect,
  AnalyzerError,
  AnalyzerOverwhelmedError,
  AnalyzerUnavailableError,
} from './error.ts';
import { mayHaveFatalCalls, refuseFatalCalls } from './fatal-calls.ts';
import { withCountedTotals } from './grand-totals.ts';
import { inlineFunctions } from './inline-functions.ts';
import { analyzerOptions, functionOptions, languageOptions } from './language.ts';
import { checkNameLengths } from './name-lengths.ts';
import { hasWideRecord, narrowCatalog, recordCost, withoutMarkers } from './narrow-records.ts';
import type { AnalyzerMethod } from './protocol.ts';
import { namedRefusal } from './refused-syntax.ts';
import { AnalyzerSession, analyzerName } from './session.ts';
import { type AnalyzerSettings, defaultAnalyzerSettings } from './settings.ts';

/** Address space that the program itself needs, in MiB (measured). */
const ownMemoryMb = 1200;

/**
 * The maximum number of concurrent calls per process. Each call has a thread with a stack, and is refused if there is
 * no address space for it. Half of the remaining space is for stacks, the other half for the analysis.
 */
function callsAtOnce({ memoryMb, stackKb }: AnalyzerSettings): number {
  return Math.max(1, Math.floor((memoryMb - ownMemoryMb) / 2 / (stackKb / 1024)));
}

/** Logs what happened to a process. */
type WarnOfAnalyzer = Log['warn'];

/** What a text can refer to. */
export interface AnalysisContext extends Pick<PlacedText, 'functionsEnd'> {
  readonly catalog: Catalog;
  readonly parameters: ReadonlyMap<string, SqlType>;
}

const emptyCatalog: Catalog = { tables: [] };

// gRPC status codes (https://grpc.io/docs/guides/status-codes/)
const unknown = 2;
const invalidArgument = 3;
const deadlineExceeded = 4;
const resourceExhausted = 8;
const internal = 13;
const unavailable = 14;

/** Milliseconds to wait until a process whose connection broke has exited, before retrying. */
const exitNoticeMs = 200;

/** Milliseconds before retrying a call for which the process had no thread. */
const busyPauseMs = 20;

/**
 * Timeout in milliseconds of a retry in a process of its own. A call that did not cause the crash takes a hundredth of
 * it.
 */
const aloneTimeoutMs = 3000;

/**
 * How many fields references to records may repeat before the records are narrowed, and at most: twice as many stop the analyzer
 * (measured).
 */
const narrowedCost = 20_000;
const maxRecordCost = 400_000;

/** How long a text that ended two processes is refused, in milliseconds. */
const refusedForMs = 60_000;

/**
 * Runs Google's GoogleSQL analyzer as a child process, which is replaced when it dies or hangs. A call in flight at
 * that time is retried once in isolation. Only a call that fails there as well is blamed.
 */
export class Analyzer {
  readonly #settings: AnalyzerSettings;
  readonly #supervisor: Supervisor<AnalyzerSession>;
  readonly #spare: Spare<AnalyzerSession>;
  readonly #suspects: Suspects<AnalyzerSession>;
  /** Limits concurrent calls. */
  readonly #turns: FairLimit;
  #isClosed = false;

  private constructor(settings: AnalyzerSettings, warn: WarnOfAnalyzer, clock: Clock) {
    this.#settings = settings;
    const limits = { addressSpaceMb: settings.memoryMb, stackKb: settings.stackKb };
    this.#supervisor = new Supervisor({
      name: analyzerName,
      start: () => AnalyzerSession.start(limits, settings.timeoutMs, clock),
      clock,
      log: { warn: warn },
    });
    this.#spare = new Spare(() => AnalyzerSession.start(limits, aloneTimeoutMs, clock));
    const isToBlame = (error: unknown) => error instanceof AnalyzerOverwhelmedError;
    this.#suspects = new Suspects({ isolation: this.#spare, isToBlame, refusedForMs, clock });
    this.#turns = new FairLimit({ atOnce: callsAtOnce(settings) });
  }

  /** @throws AnalyzerUnavailableError when the program can't be started */
  static async start(
    settings: AnalyzerSettings = defaultAnalyzerSettings,
    warn: WarnOfAnalyzer = () => {},
    clock: Clock = systemClock,
  ): Promise<Analyzer> {
    const analyzer = new Analyzer(settings, warn, clock);
    try {
      await analyzer.#current();
    } catch (error) {
      await analyzer.close();
      throw error;
    }
    return analyzer;
  }

  /** The id of the current process, for tests and operators. */
  async pid(): Promise<number> {
    return (await this.#current()).pid;
  }

  /**
   * Types and resolves one query statement.
   *
   * @param sql GoogleSQL text
   * @param context the functions that the text begins with are those of the catalog: it is analyzed without them
   * @param signal aborts the call, which ends when the process has finished it, or at its turn if it is not made yet
   * @param account whose turn it is when calls have to wait; by default, the gateway's
   * @returns the resolved statement in the analyzer's wire form
   * @throws AnalyzerError when the text is wrong, AnalyzerUnavailableError when the analyzer fails on it, the signal's
   *   reason when it was aborted
   */
  async analyze(
    sql: string,
    context: AnalysisContext,
    signal = never,
    account = ownAccount,
  ): Promise<AnyNode> {
    checkNameLengths(sql);
    try {
      return await this.#resolve(sql, context, signal, account);
    } catch (error) {
      if (!(error instanceof AnalyzerDefect))
        throw error instanceof AnalyzerError ? namedRefusal(error, sql) : error;
      const counted = withCountedTotals(
        sql,
        await this.parse(queryOnly({ sql, ...context }), signal, account),
      );
      if (counted === undefined) throw error;
      const statement = await this.#resolve(counted.sql, context, signal, account);
      counted.restorePlaces(statement);
      return statement;
    }
  }

  /** References to large records are resolved with their named fields only, if that shows to be the same. */
  async #resolve(
    sql: string,
    context: AnalysisContext,
    signal: AbortSignal,
    account: Account,
  ): Promise<AnyNode> {
    const { catalog } = context;
    const cost = hasWideRecord(catalog) ? recordCost(catalog, sql) : 0;
    if (cost > narrowedCost) {
      const narrow = narrowCatalog(catalog, sql);
      const narrowCost = narrow && recordCost(narrow.catalog, sql);
      if (narrow !== undefined && narrowCost !== undefined && narrowCost <= maxRecordCost) {
        const ofNarrow = { ...context, catalog: narrow.catalog };
        try {
          const statement = await this.#resolveWith(sql, ofNarrow, signal, account, narrow.restore);
          if (statement !== undefined) return statement;
        } catch (error) {
          if (!(error instanceof AnalyzerError)) throw error;
          // The full catalog has the full message, or no error, unless its answer may be too large.
          if (cost > maxRecordCost) throw new AnalyzerError(withoutMarkers(error.message), error.position);
        }
      }
      if (cost > maxRecordCost)
        throw new AnalyzerError('The query names too many fields of too large records');
    }
    const statement = await this.#resolveWith(sql, context, signal, account, () => true);
    return statement as AnyNode;
  }

  /** @param accept whether the analyzer's answer can be used. It may change it. Otherwise, the result is undefined. */
  async #resolveWith(
    sql: string,
    context: AnalysisContext,
    signal: AbortSignal,
    account: Account,
    accept: (statement: AnyNode) => boolean,
  ): Promise<AnyNode | undefined> {
    const { catalog: known, parameters } = context;
    await this.#refuseFatalCalls(sql, { sql_statement: queryOnly({ sql, ...context }) }, signal, account);
    let ofDays: ReturnType<typeof dayTables> = [];
    const request = async (session: AnalyzerSession) => {
      ofDays = dayTables(known, sql);
      const tables = ofDays.length === 0 ? known : { ...known, tables: [...known.tables, ...ofDays] };
      const catalog = withOptionsIn(tables, sql);
      return {
        sql_statement: queryOnly({ sql, ...context }),
        // A process keeps registered catalogs for ever. Those that differ by query are sent along.
        ...(catalog !== known || catalog.functions?.length
          ? { simple_catalog: catalogToProto(catalog) }
          : { registered_catalog_id: await session.register(catalog, catalogToProto) }),
        options: analyzerOptions(parameters),
      };
    };
    const answer = await this.#call('analyze', sql, request, signal, account);
    const { resolved_statement } = answer as { resolved_statement: AnyNode };
    if (!accept(resolved_statement)) return undefined;
    const statement = inlineFunctions(resolved_statement, sql, known.functions ?? []);
    overWholeTables(statement, ofDays);
    annotateStatement(statement, sql);
    return statement;
  }

  /**
   * Parses one statement without resolving names.
   *
   * @returns the statement of the parse tree in the analyzer's wire form
   * @throws as `analyze` does
   */
  async parse(sql: string, signal = never, account = ownAccount): Promise<AnyNode> {
    checkNameLengths(sql);
    try {
      const request = { sql_statement: sql, options: languageOptions };
      const answer = await this.#call('parse', sql, async () => request, signal, account);
      return (answer as { parsed_statement: AnyNode }).parsed_statement;
    } catch (error) {
      // Only an analysis reports the position of a syntax error.
      if (error instanceof AnalyzerError) {
        await this.analyze(sql, { catalog: emptyCatalog, parameters: new Map() }, signal, account);
      }
      throw error;
    }
  }

  /**
   * Reads one definition of a function.
   *
   * @param start where it begins in the text: UTF-8 bytes
   * @param functions the functions that it can call besides the built-in ones
   * @returns the parsed and the resolved statement, and where the next statement begins
   * @throws as `analyze` does
   */
  async readDefinition(
    sql: string,
    start: number,
    functions: readonly CatalogFunction[],
    signal = never,
    account = ownAccount,
  ): Promise<{ readonly parsed: AnyNode; readonly statement: AnyNode; readonly end: number }> {
    checkNameLengths(sql);
    const parse_resume_location = { input: sql, byte_position: start, allow_resume: true };
    const analysis = {
      parse_resume_location,
      simple_catalog: catalogToProto(withOptionsIn({ tables: [], functions }, sql)),
      options: functionOptions(),
    };
    await this.#refuseFatalCalls(sql, { parse_resume_location }, signal, account);
    // Only an analysis reports the position of a syntax error.
    const analyzed = await this.#call('analyze', sql, async () => analysis, signal, account);
    const parse = { parse_resume_location, options: languageOptions };
    const parsed = await this.#call('parse', sql, async () => parse, signal, account);
    const { resolved_statement, resume_byte_position } = analyzed as {
      readonly resolved_statement: AnyNode;
      readonly resume_byte_position: number;
    };
    const { parsed_statement } = parsed as { readonly parsed_statement: AnyNode };
    const statement = inlineFunctions(resolved_statement, sql, functions);
    return { parsed: parsed_statement, statement, end: resume_byte_position };
  }

  /** @param text the text as the parser's request has it */
  async #refuseFatalCalls(sql: string, text: object, signal: AbortSignal, account: Account): Promise<void> {
    if (!mayHaveFatalCalls(sql)) return;
    const request = { ...text, options: languageOptions };
    try {
      const answer = await this.#call('parse', sql, async () => request, signal, account);
      refuseFatalCalls(sql, (answer as { parsed_statement: AnyNode }).parsed_statement);
    } catch (error) {
      // The analysis reports syntax errors, with their positions.
      if (error instanceof AnalyzerError && error.position === undefined) return;
      throw error;
    }
  }

  /** Any other call of the service, with the same handling of dead and hanging processes. */
  async call(method: AnalyzerMethod, request: object): Promise<unknown> {
    return this.#call(method, undefined, async () => request, never, ownAccount);
  }

  /** Ends the process. Calls in flight are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const stopped = new AnalyzerUnavailableError(`${analyzerName} was stopped`);
    await Promise.all([this.#supervisor.close(), this.#spare.close(stopped)]);
  }

  /**
   * A cancelled call keeps its place until the process has finished it, and is retried like others when the process
   * ends. Otherwise the crash could not be blamed on a text.
   *
   * @param sql the text to blame if the call ends its process, if there is one
   */
  async #call(
    method: AnalyzerMethod,
    sql: string | undefined,
    request: (session: AnalyzerSession) => Promise<object>,
    signal: AbortSignal,
    account: Account,
  ): Promise<unknown> {
    signal.throwIfAborted();
    try {
      return await this.#untilAnswered(method, sql, request, signal, account);
    } finally {
      signal.throwIfAborted();
    }
  }

  async #untilAnswered(
    method: AnalyzerMethod,
    sql: string | undefined,
    request: (session: AnalyzerSession) => Promise<object>,
    signal: AbortSignal,
    account: Account,
  ): Promise<unknown> {
    const key = sql && createHash('sha256').update(sql).digest('base64url');
    this.#suspects.refuseBlamed(key);
    let suspect = false;
    const retryUntil = performance.now() + this.#settings.timeoutMs;
    for (;;) {
      let session: AnalyzerSession | undefined;
      let started = 0;
      try {
        const make = async () => {
          signal.throwIfAborted();
          const current = await this.#current();
          session = current;
          started = performance.now();
          const message = await request(current);
          return suspect ? current.callAlone(method, message, signal) : current.call(method, message, signal);
        };
        return await this.#turns.run(account, make);
      } catch (error) {
        if (session === undefined) throw error;
        const { code } = error as { code?: unknown };
        const isHanging = code === deadlineExceeded;
        if (isHanging) await session.end(`no answer within ${this.#settings.timeoutMs} ms`);
        if ((isHanging || isUnexpectedEnd(error)) && !this.#isClosed) {
          // The connection breaks shortly before the exit of the process is noticed.
          if (code === unavailable) await Promise.race([session.exited, setTimeout(exitNoticeMs)]);
          return this.#callAgain(method, key, request, performance.now() - started);
        }
        if (isRefusedUnread(error) && started < retryUntil) {
          await setTimeout(busyPauseMs);
          continue;
        }
        if (!isBrokenAnswer(error) || suspect) throw describe(error);
        suspect = true;
        session.reconnect();
      }
    }
  }

  /**
   * Retries a call that was in flight when the process ended, hung, or ran out of memory, whichever call caused that.
   */
  #callAgain(
    method: AnalyzerMethod,
    key: string | undefined,
    request: (session: AnalyzerSession) => Promise<object>,
    spentMs: number,
  ): Promise<unknown> {
    return this.#suspects.again(key, spentMs, async (session) => {
      try {
        return await session.call(method, await request(session));
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code !== deadlineExceeded && !isUnexpectedEnd(error)) throw describe(error);
        const overwhelmed = code === deadlineExceeded ? tooSlow() : new AnalyzerOverwhelmedError(endedBy);
        await session.end(overwhelmed.message);
        throw overwhelmed;
      }
    });
  }

  async #current(): Promise<AnalyzerSession> {
    try {
      return await this.#supervisor.current();
    } catch (error) {
      if (!(error instanceof ProcessUnavailableError)) throw error;
      throw new AnalyzerUnavailableError(error.message, { cause: error.cause });
    }
  }
}

/** Whether the process died or ran out of memory. In the latter case the program survives, and reports only this. */
function isUnexpectedEnd(error: unknown): boolean {
  const { code, details } = error as { code?: unknown; details?: unknown };
  return code === unavailable || (code === unknown && details === 'Unexpected error in RPC handling');
}

/** Whether the process had no thread for a call and has not read it. Threads outlive their calls for a moment. */
function isRefusedUnread(error: unknown): boolean {
  const { code, details } = error as { code?: unknown; details?: unknown };
  return code === resourceExhausted && details === 'Server Threadpool Exhausted';
}

const endedBy = 'The SQL analyzer stopped while it worked on this query';

function tooSlow(): AnalyzerOverwhelmedError {
  return new AnalyzerOverwhelmedError('The query took too long to analyze');
}

/** Whether the response broke the HTTP/2 connection, as an error message above 64 KiB does. */
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
      if (text === '') return new AnalyzerDefect();
      // The message quotes the text, which can exceed what gRPC carries.
      return isBrokenAnswer(error)
        ? new AnalyzerError('The query has an error in a name or literal that is too long to be shown')
        : new AnalyzerDefect();
    default:
      if (typeof code === 'number' && text !== '') return AnalyzerError.parse(text);
      return error instanceof Error ? error : new Error(String(error));
  }
}
