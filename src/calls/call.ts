import { handedOver } from '../base/async/handed-over.ts';
import type { Endpoint, EndpointTable } from '../definitions/endpoints/endpoint.ts';
import type { PiiClass } from '../definitions/endpoints/pii-class.ts';
import type { Estimate, StreamEnd } from '../engines/engine/engine.ts';
import type { QueryProfile } from '../engines/engine/profile.ts';
import type { ColumnBatch } from '../sql/columns/column-batch.ts';
import type { Column } from '../sql/values/type.ts';
import type { Payer } from './access/caller/caller.ts';
import type { RowsQuery } from './call/ad-hoc-query.ts';
import {
  type AuthorisedCall,
  type AuthorisingParts,
  authoriseCall,
  type CallToAuthorise,
} from './call/authorised-call.ts';
import type { PageRequest } from './call/page.ts';
import {
  type CallLogFields,
  calledVersion,
  noteCall,
  noteClass,
  noteEndpoint,
  noteFailure,
} from './call-log.ts';
import type { Executor, ExecutorResult, ExportedRows, Run, RunProgress } from './executor/executor.ts';
import { ShownRows } from './executor/shown-rows.ts';
import type { TailBegin } from './live/first-events.ts';
import type { LiveOutcome, LiveResults } from './live/live-results.ts';
import type { LiveTails } from './live/live-tails.ts';
import type { TailEvent } from './live/tail-event.ts';
import type { Watching } from './live/watchers.ts';
import { type PageOutcome, pageRows } from './page-rows.ts';
import type { AskedQuery } from './records/call-record.ts';
import { redactBatch } from './redaction/redact-result.ts';

/** The parts that calls use. */
export interface CallParts extends AuthorisingParts {
  readonly executor: Executor;
  /** Answers that stay up to date. */
  readonly live: { readonly results: LiveResults; readonly tails: LiveTails };
}

/** A call of an endpoint, as a protocol has parsed it. */
export interface CallRequest extends CallToAuthorise {
  /** Receives what is logged about the call. */
  readonly logFields: CallLogFields;
  /**
   * Counts memory of rows until the result is disposed of.
   *
   * @throws GatewayError OVERLOADED, RATE_LIMITED
   */
  readonly hold?: ((memory: object, bytes: number) => Disposable | undefined) | undefined;
}

/** The answer of a call. Disposing of it releases the memory of its rows. */
export interface Answer extends Omit<ExecutorResult, 'rows' | 'bodies' | 'page' | 'leaveOut'>, Disposable {
  readonly rows: ShownRows;
  /** Undefined if the rows are no page. */
  readonly page: PageOutcome | undefined;
  /** Excludes rows that are not in the response from the log, and from what the caller has used. */
  noteLeftOut(rows: number): void;
}

/** An export in progress. */
export interface Export {
  readonly columns: readonly Column[];
  /** Leaving the loop over them ends the export. */
  readonly batches: AsyncIterable<ColumnBatch>;
  /** How it ended; undefined before its last row. */
  readonly end: () => StreamEnd | undefined;
}

/**
 * A call of an endpoint, the same for all protocols, which parse requests and render results. Creating it authorises it
 * and parses its parameters. Running it plans and checks ad-hoc queries, returns rows and errors as the caller may see
 * them, and logs the outcome.
 */
export class Call {
  readonly #authorised: AuthorisedCall;
  readonly #parts: CallParts;
  readonly #request: Pick<CallRequest, 'logFields' | 'hold'>;

  private constructor(
    authorised: AuthorisedCall,
    request: Pick<CallRequest, 'logFields' | 'hold'>,
    parts: CallParts,
  ) {
    this.#authorised = authorised;
    this.#request = request;
    this.#parts = parts;
  }

  /** @throws GatewayError as {@link authoriseCall} does */
  static authorise(request: CallRequest, parts: CallParts): Call {
    const { logFields, hold } = request;
    const endpoint = calledVersion(request.endpoint);
    noteEndpoint(logFields, endpoint);
    try {
      const authorised = authoriseCall(request, parts);
      noteClass(logFields, authorised.class);
      return new Call(authorised, { logFields, hold }, parts);
    } catch (error) {
      noteFailure(logFields, { endpoint, error, engineMs: 0 });
      throw error;
    }
  }

  get endpoint(): Endpoint {
    return this.#authorised.endpoint;
  }

  get payer(): Payer {
    return this.#authorised.payer;
  }

  /** The classes of personal data that the caller may not see. */
  get hidden(): readonly PiiClass[] {
    return this.#authorised.hidden;
  }

  /** The requested tail; undefined for other calls. */
  get tail(): AuthorisedCall['tail'] {
    return this.#authorised.tail;
  }

  /**
   * The call for the newest rows of a table instead of the stored query.
   *
   * @throws GatewayError FORBIDDEN
   */
  newestRows(table: EndpointTable, maxRows: number): Call {
    return new Call(this.#authorised.newestRows(table, maxRows), this.#request, this.#parts);
  }

  /**
   * The call for rows of a table that a filter selects.
   *
   * @throws GatewayError BAD_USER_INPUT if the filter contains a key
   */
  filteredRows(query: RowsQuery): Call {
    return new Call(this.#authorised.asking(query), this.#request, this.#parts);
  }

  /**
   * The call for a page of the result, or of a table of the endpoint.
   *
   * @throws GatewayError BAD_USER_INPUT for a number of rows beyond the endpoint's; INVALID_CURSOR; FORBIDDEN
   */
  paged(page: PageRequest, table?: EndpointTable): Call {
    return new Call(this.#authorised.paged(page, table), this.#request, this.#parts);
  }

  /** @throws GatewayError; the signal's reason */
  async execute({ signal, wanted }: Pick<Run, 'signal' | 'wanted'>): Promise<Answer> {
    const { logFields, hold } = this.#request;
    const progress: RunProgress = {};
    const { result, page } = await this.#recorded(progress, () => this.#read({ progress, signal, wanted }));
    const { rows, bodies: _, slices, page: __, leaveOut, ...facts } = result;
    const { cache, engineMs, cachedEntry, truncated, cost, queueMs, planningMs } = facts;
    const record = noteCall(logFields, {
      endpoint: calledVersion(this.endpoint),
      ...{ cache: cache.status, rows: rows.count, engineMs, asked: this.#askedIn(progress) },
      run: { truncated, queueMs, planningMs, ...(slices && { slices }), ...(cost && { cost }) },
    });
    const held = hold?.(cachedEntry ?? rows, rows.bytes);
    return {
      ...facts,
      ...(slices && this.#authorised.seesRuns && { slices }),
      rows: new ShownRows(this.#authorised, result),
      page,
      noteLeftOut: (count) => {
        if (logFields.rows !== undefined) logFields.rows -= count;
        record.rows -= count;
        leaveOut?.(count);
      },
      [Symbol.dispose]: () => held?.[Symbol.dispose](),
    };
  }

  /**
   * The expected cost of the call, which doesn't run.
   *
   * @throws GatewayError; the signal's reason
   */
  estimate(signal: AbortSignal): Promise<Estimate> {
    return this.#parts.executor.estimate(this.#authorised, { signal });
  }

  /**
   * Where the time of a run goes, which this makes.
   *
   * @throws GatewayError; the signal's reason
   */
  async profile(signal: AbortSignal): Promise<QueryProfile> {
    const { logFields } = this.#request;
    const asked: AskedQuery = { ...this.#authorised.asked, form: 'profile' };
    const endpoint = calledVersion(this.endpoint);
    try {
      const profile = await this.#parts.executor.profile(this.#authorised, { signal });
      noteCall(logFields, { endpoint, cache: 'off', rows: 0, engineMs: profile.milliseconds, asked });
      return profile;
    } catch (error) {
      noteFailure(logFields, { endpoint, error, engineMs: 0, asked });
      throw error;
    }
  }

  /**
   * Starts an export of up to the endpoint's `exportRows` rows, which come at the pace of their reader.
   *
   * @throws GatewayError, here or with the rows; the signal's reason
   */
  async export(signal: AbortSignal): Promise<Export> {
    const { executor } = this.#parts;
    const { hidden, payer } = this;
    const { exportClass } = this.#authorised;
    noteClass(this.#request.logFields, exportClass);
    let end: StreamEnd | undefined;
    const progress: RunProgress = { class: exportClass };
    const parts = handedOver<ExportedRows, StreamEnd>(
      (take, left) => {
        const run = { signal: AbortSignal.any([signal, left]), progress };
        return executor.stream(this.#authorised, run, take);
      },
      (outcome) => {
        end = outcome;
      },
    );
    const first = await this.#recorded(progress, () => parts.next());
    const { columns } = first.done ? { columns: [] } : first.value;
    const { logFields } = this.#request;
    const asked = this.#askedIn(progress);
    const ended = { endpoint: calledVersion(this.endpoint), asked, cache: 'off' } as const;
    async function* batches() {
      let rows = 0;
      let hasFailed = false;
      try {
        for await (const { batch } of parts) {
          if (batch === undefined) continue;
          rows += batch.length;
          yield await redactBatch(batch, columns, hidden, signal, payer.account);
        }
      } catch (error) {
        hasFailed = true;
        noteFailure(logFields, { ...ended, error, engineMs: progress.engineMs ?? 0, run: progress, rows });
        throw error;
      } finally {
        // A client that leaves ends the loop, too.
        if (!hasFailed)
          noteCall(logFields, {
            ...ended,
            rows,
            engineMs: end?.engineMs ?? progress.engineMs ?? 0,
            run: { ...end, queueMs: progress.queueMs ?? 0 },
          });
      }
    }
    return { columns, batches: batches(), end: () => end };
  }

  /**
   * The result, kept up to date: see {@link LiveResults.watch}.
   *
   * @throws GatewayError; the reason of the watcher's signal
   */
  watch(watching: Watching): AsyncGenerator<LiveOutcome, never> {
    return this.#shown(({ results }) => results.watch(this.#authorised, watching));
  }

  /**
   * The rows of the tail as they arrive: see {@link LiveTails.watch}.
   *
   * @throws GatewayError; the reason of the watcher's signal
   */
  watchTail(begin: TailBegin, watching: Watching): AsyncGenerator<TailEvent, never> {
    return this.#shown(({ tails }) => tails.watch(this.#authorised, begin, watching));
  }

  async *#shown<Event>(
    watch: (live: CallParts['live']) => Promise<AsyncGenerator<Event, never>>,
  ): AsyncGenerator<Event, never> {
    try {
      return yield* await watch(this.#parts.live);
    } catch (error) {
      throw this.#authorised.shown(error);
    }
  }

  async #read(run: Run) {
    const read = await this.#parts.executor.execute(this.#authorised, run);
    const ofPage = read.page && (await pageRows(this.#authorised, read.rows, read.page));
    const result = ofPage === undefined ? read : { ...read, rows: ofPage.rows, truncated: ofPage.truncated };
    return { result, page: ofPage?.page };
  }

  /** Does the work of the call. Its failure is recorded. */
  async #recorded<T>(progress: RunProgress, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const endpoint = calledVersion(this.endpoint);
      const { engineMs = 0 } = progress;
      const asked = this.#askedIn(progress);
      noteFailure(this.#request.logFields, { endpoint, error, engineMs, asked, run: progress });
      throw error;
    }
  }

  #askedIn({ class: ofRun }: RunProgress): AskedQuery {
    const { asked } = this.#authorised;
    return ofRun === undefined || ofRun === asked.class ? asked : { ...asked, class: ofRun };
  }
}
