import { LRUCache } from 'lru-cache';
import { never } from '../../base/async/race-with-abort.ts';
import { type Account, ownAccount } from '../../base/fairness/account.ts';
import { ProcessPool } from '../../base/processes/process-pool.ts';
import { processorMs } from '../../base/processes/processor-time.ts';
import { type Clock, systemClock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { AnyNode } from '../resolved/node.ts';
import type { PlacedText } from '../text/place.ts';
import { queryOnly } from '../text/query-only.ts';
import { queryShape } from '../text/query-shape.ts';
import type { SqlType } from '../values/type.ts';
import { annotateStatement } from './annotate-statement.ts';
import { answerOf, describe, endedBy, LostAnswer } from './call-outcome.ts';
import type { Catalog, CatalogFunction } from './catalog.ts';
import { catalogToProto, withOptionsIn } from './catalog.ts';
import { dayTables, overWholeTables } from './day-tables.ts';
import {
  AnalyzerDefect,
  AnalyzerError,
  AnalyzerOverwhelmedError,
  AnalyzerUnavailableError,
} from './error.ts';
import { mayBeFatal, refuseFatalConstructs } from './fatal-constructs.ts';
import { withCountedTotals } from './grand-totals.ts';
import { inlineFunctions } from './inline-functions.ts';
import { analyzerOptions, functionOptions, languageOptions } from './language.ts';
import { checkNameLengths } from './name-lengths.ts';
import { hasWideRecord, narrowCatalog, recordCost, withoutMarkers } from './narrow-records.ts';
import type { AnalyzerMethod } from './protocol/protocol.ts';
import { isOfSyntax, namedRefusal } from './refused-syntax.ts';
import { AnalyzerSession, analyzerName } from './session.ts';
import { type AnalyzerSettings, defaultAnalyzerSettings } from './settings.ts';

/** Logs what happened to a process. */
type WarnOfAnalyzer = Log['warn'];

/** What a text can refer to. */
export interface AnalysisContext extends Pick<PlacedText, 'functionsEnd'> {
  readonly catalog: Catalog;
  readonly parameters: ReadonlyMap<string, SqlType>;
}

const emptyCatalog: Catalog = { tables: [] };

/** How many processes wait for calls, and how many short calls run at the same time. */
const processes = 2;

/** How many long calls run beside them. */
const longCalls = 2;

/** A call that computes for more milliseconds is long. Nearly all take a tenth of it. */
const longMs = 300;

/**
 * How many fields references to records may repeat before the records are narrowed, and at most: twice as many stop the analyzer
 * (measured).
 */
const narrowedCost = 20_000;
const maxRecordCost = 400_000;

/** How long a shape of texts is refused that has ended processes, and suspected if it has ended one or took long, in milliseconds. */
const remembered = { max: 1_000, ttl: 60_000 };

/**
 * Runs Google's GoogleSQL analyzer in child processes. Each works on one call at a time, so that a text that ends its process, or makes
 * it hang, harms no other. Texts of the same shape are then suspects, which have turns of their own.
 */
export class Analyzer {
  readonly #pool: ProcessPool<AnalyzerSession>;
  /** Shapes of texts that ended a process or took long. */
  readonly #suspects = new LRUCache<string, true>(remembered);
  /** The errors of texts, by their key and shape. */
  readonly #blamed = new LRUCache<string, AnalyzerOverwhelmedError>(remembered);
  #isClosed = false;

  private constructor(settings: AnalyzerSettings, warn: WarnOfAnalyzer, clock: Clock) {
    const { memoryMb: addressSpaceMb, stackKb, timeoutMs } = settings;
    this.#pool = new ProcessPool({
      start: () => startSession({ addressSpaceMb, stackKb }, timeoutMs, clock),
      size: processes,
      longTasks: longCalls,
      longMs,
      processorMs: ({ pid }) => processorMs(pid),
      clock,
      onEnd: (reason) => warn(`${analyzerName} stopped; another process takes its place`, { reason }),
    });
  }

  /** @throws AnalyzerUnavailableError when the program can't be started */
  static async start(
    settings: AnalyzerSettings = defaultAnalyzerSettings,
    warn: WarnOfAnalyzer = () => {},
    clock: Clock = systemClock,
  ): Promise<Analyzer> {
    const analyzer = new Analyzer(settings, warn, clock);
    try {
      await analyzer.#pool.warmUp();
    } catch (error) {
      await analyzer.close();
      throw error;
    }
    return analyzer;
  }

  /** The ids of the processes, for tests and operators. */
  get pids(): readonly number[] {
    return this.#pool.pids;
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
    await this.#refuseFatalConstructs(
      sql,
      { sql_statement: queryOnly({ sql, ...context }) },
      signal,
      account,
    );
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
      if (!(error instanceof AnalyzerError)) throw error;
      throw await this.#placed(error, sql, signal, account);
    }
  }

  /** The error of a parse. Only an analysis reports the position of a syntax error. */
  async #placed(error: AnalyzerError, sql: string, signal: AbortSignal, account: Account): Promise<unknown> {
    try {
      await this.#resolve(sql, { catalog: emptyCatalog, parameters: new Map() }, signal, account);
    } catch (placed) {
      if (!(placed instanceof AnalyzerError)) return placed;
      if (isOfSyntax(placed)) return namedRefusal(placed, sql);
    }
    return error;
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
    await this.#refuseFatalConstructs(sql, { parse_resume_location }, signal, account);
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
  async #refuseFatalConstructs(
    sql: string,
    text: object,
    signal: AbortSignal,
    account: Account,
  ): Promise<void> {
    if (!mayBeFatal(sql)) return;
    const request = { ...text, options: languageOptions };
    try {
      const answer = await this.#call('parse', sql, async () => request, signal, account);
      refuseFatalConstructs(sql, (answer as { parsed_statement: AnyNode }).parsed_statement);
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

  /** Ends the processes. Calls in flight are rejected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool.close(new AnalyzerUnavailableError(`${analyzerName} was stopped`));
  }

  /**
   * A cancelled call keeps its place until the process has finished it, and is retried like others when the process
   * ends. Otherwise the crash could not be blamed on a text.
   *
   * @param sql the text to blame if the call ends its processes, if there is one
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
    for (let tried = 1; ; tried++) {
      const shape = this.#shapeToWatch(sql, account);
      const isLong = shape !== undefined && this.#suspects.has(shape);
      const suspect = () => sql !== undefined && this.#suspects.set(queryShape(sql), true);
      try {
        return await this.#pool.run(account, { isLong, onLong: suspect }, async (session) => {
          signal.throwIfAborted();
          return answerOf(session, async () => session.call(method, await request(session), signal));
        });
      } catch (error) {
        if (!(error instanceof LostAnswer)) throw describe(error);
        suspect();
        if (this.#isClosed) throw new AnalyzerUnavailableError(endedBy);
        if (tried >= error.tries) throw this.#blame(sql, account, error);
      }
    }
  }

  /**
   * The shape of a text, if any is suspected or to blame.
   *
   * @throws the error that a text of this shape was blamed with
   */
  #shapeToWatch(sql: string | undefined, account: Account): string | undefined {
    if (sql === undefined || (this.#suspects.size === 0 && this.#blamed.size === 0)) return undefined;
    const shape = queryShape(sql);
    const error = this.#blamed.get(blameKey(account, shape));
    if (error !== undefined) throw error;
    return shape;
  }

  /** Others than the key that sent it may still try a text of the shape. */
  #blame(sql: string | undefined, account: Account, { message }: LostAnswer): AnalyzerOverwhelmedError {
    const error = new AnalyzerOverwhelmedError(message);
    if (sql !== undefined) this.#blamed.set(blameKey(account, queryShape(sql)), error);
    return error;
  }
}

function blameKey({ key }: Account, shape: string): string {
  return `${key} ${shape}`;
}

/** @throws AnalyzerUnavailableError */
async function startSession(
  ...parameters: Parameters<typeof AnalyzerSession.start>
): Promise<AnalyzerSession> {
  try {
    return await AnalyzerSession.start(...parameters);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AnalyzerUnavailableError(`${analyzerName} can't be started: ${reason}`, { cause });
  }
}
