import { createHash } from 'node:crypto';
import { never, raceWithAbort } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Frame } from '../../base/processes/frames.ts';
import { RepeatableCalls, refusedForSeconds } from '../../base/processes/repeatable-calls.ts';
import { ProcessUnavailableError, Supervisor } from '../../base/processes/supervisor.ts';
import { watchDuring } from '../../base/processes/watch-during.ts';
import type { Clock } from '../../base/system/clock.ts';
import { collectYoungGarbage } from '../../base/system/collect-garbage.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { HeldFiles } from '../../engines/duckdb/store/database/held-files.ts';
import { StoreError } from '../../engines/duckdb/store/file/store-error.ts';
import type { SourceState } from '../../engines/duckdb/store/source-states.ts';
import type { StoreState } from '../../engines/duckdb/store/store-state.ts';
import type { RowOrigin } from '../../engines/duckdb/store/tables/metadata.ts';
import type { MoveProgress } from '../../engines/duckdb/store/upkeep/move-old-rows.ts';
import type {
  Engine,
  EngineRequest,
  EngineResult,
  Estimate,
  StreamEnd,
  TakeColumns,
} from '../../engines/engine/engine.ts';
import { RowChangeFeed } from '../../engines/engine/row-changes.ts';
import { packedRows } from '../../engines/rows/result-rows.ts';
import { UnknownPlanError } from '../../engines/wire/packed-error.ts';
import type { RemovedRows, RowRemover } from '../../rows/deletion/row-remover.ts';
import type { EventOutcome } from '../../rows/ingest/events/event-outcome.ts';
import type { EventRequest } from '../../rows/ingest/events/event-request.ts';
import type { ReceiveOptions, RowsReceived } from '../../rows/ingest/receive.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import { unpackBatch } from '../../sql/columns/packed-batch.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { ChunkQueue } from './chunk-queue.ts';
import { EngineEndedError, EngineSession } from './engine-session.ts';
import { ExclusiveProcess } from './exclusive-process.ts';
import { engineName, type LaunchedEngine, launchEngine } from './launched-engine.ts';
import type { DuckDbSettings } from './open-duckdb.ts';
import {
  type AppendCall,
  appendWindow,
  calls,
  type EventsCall,
  type OpenCall,
  protocolVersion,
  type RemoveCall,
  type RunAnswer,
  type RunCall,
  replies,
  streamWindow,
  unpack,
} from './protocol.ts';

interface EngineClientOptions {
  readonly settings: DuckDbSettings;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with the progress of a store's upgrade. */
  readonly onMove?: ((progress: MoveProgress) => void) | undefined;
  /** The first process, if it was started already. */
  readonly launched?: Promise<LaunchedEngine> | undefined;
  /** Memory limit of the process, in bytes. A process that exceeds it is ended. */
  readonly memoryLimit: number;
  /** Called when a process has opened the store, before it answers any call. */
  readonly onOpen?: ((pid: number) => Promise<void>) | undefined;
}

/** How long calls wait for a process that is being started, in milliseconds. */
const restartTimeoutMs = 5_000;

/** How long a process that is to be closed may take to answer a ping, in milliseconds. */
const closingPingTimeoutMs = 2_000;

/**
 * Bytes of columns after which their memory is freed. V8 counts it, and would soon collect all garbage because of it,
 * again and again: that takes longer than everything else in an export (measured).
 */
const collectAfterBytes = 2_000_000;

/** The process must answer one ping in this many heartbeats. */
const heartbeat = {
  heartbeatMs: 250,
  maxMissed: 40,
  sendPing: (session: EngineSession) => session.call(calls.ping, null),
};

/** The embedded engine in a supervised process of its own: see `protocol.ts`. */
export class EngineClient implements Engine, RowStore, RowRemover {
  readonly name = 'duckdb';
  readonly readsWanted = true;
  readonly #clock: Clock;
  readonly #supervisor: Supervisor<EngineSession>;
  readonly #exclusive: ExclusiveProcess<EngineSession>;
  readonly #calls: RepeatableCalls<EngineSession>;
  /** Tells of commits. A process that replaces another one may have committed rows that nobody was told of. */
  readonly changes = new RowChangeFeed();
  /** The sources that the store has. */
  #sources: readonly Source[];
  /** The sources that the store is being given. A process that has ended may have given it them. */
  #nextSources: readonly Source[] | undefined;

  private constructor(options: EngineClientOptions) {
    const { settings, clock, log, memoryLimit, onMove, onOpen } = options;
    this.#clock = clock;
    this.#sources = settings.sources;
    let { launched } = options;
    const openAny = async (open: (sources: readonly Source[]) => Promise<unknown>) => {
      try {
        await open(this.#nextSources ?? this.#sources);
      } catch (error) {
        if (!isRefusal(error) || this.#nextSources === undefined) throw error;
        await open(this.#sources);
      }
    };
    const parts = {
      clock,
      onLog: ({ level, message, fields }: { level: keyof Log; message: string; fields: object }) =>
        log[level](message, { ...fields }),
      onChange: this.changes.tell,
    };
    const tellOfAll = () => this.changes.tell(this.#sources.map(({ name: source }) => ({ source })));
    this.#supervisor = new Supervisor({
      name: engineName,
      async start(signal) {
        const process = launched ?? launchEngine(clock);
        launched = undefined;
        const session = await EngineSession.start(await process, parts, signal);
        try {
          const open = (sources: readonly Source[]) => {
            const call: OpenCall = { version: protocolVersion, ...settings, sources };
            const onFrame = (frame: Frame) => onMove?.(unpack(frame.payload));
            return watchDuring(
              session,
              session.call(calls.open, call, { onFrame }),
              heartbeat,
              clock,
              signal,
            );
          };
          await openAny(open);
          await onOpen?.(session.pid);
          tellOfAll();
          return session;
        } catch (error) {
          await session.end('it could not open the store');
          throw error;
        }
      },
      clock,
      log,
      watch: { ...heartbeat, memoryLimit },
    });
    this.#exclusive = new ExclusiveProcess(() =>
      withRestartTimeout(never, (either) => this.#supervisor.current(either)),
    );
    this.#calls = new RepeatableCalls({
      current: (signal) => this.#session(signal),
      isolation: this.#exclusive,
      hasEnded: (error) => error instanceof EngineEndedError,
      blamed,
      busy,
      clock,
    });
  }

  /**
   * Starts the process and opens the store in it.
   *
   * @throws StoreError if the store can't be opened; the error of a failed start
   */
  static async start(options: EngineClientOptions): Promise<EngineClient> {
    const client = new EngineClient(options);
    try {
      await client.#supervisor.current();
      return client;
    } catch (error) {
      await client.#supervisor.close();
      if (!(error instanceof ProcessUnavailableError)) throw error;
      const { cause, message } = error;
      // A GatewayError is shown to the operator without a stack, which would not help.
      if (cause instanceof EngineEndedError)
        throw new GatewayError('BACKEND_UNAVAILABLE', message, { cause });
      throw cause ?? error;
    }
  }

  /** Whether a process is ready. */
  get isReady(): boolean {
    return this.#supervisor.state === 'ready';
  }

  /** The process's state, for health and metrics. */
  get process() {
    const { state, restarts, memoryBytes } = this.#supervisor;
    return { state, restarts, memoryBytes };
  }

  /** The process id, for tests and operators. */
  async pid(): Promise<number> {
    return (await this.#supervisor.current()).pid;
  }

  /** Preparation is a single step of the process and can't be cancelled. */
  prepare(plan: Plan): Promise<void> {
    return this.#calls.make(plan.id, never, (session) => this.#prepared(session, plan, never));
  }

  run(request: EngineRequest): Promise<EngineResult> {
    const endsAt = this.#clock.elapsed() + request.timeoutMs;
    return this.#calls.make(keyOf(request), request.signal, (session, signal) =>
      this.#runIn(session, { ...request, signal, timeoutMs: Math.max(1, endsAt - this.#clock.elapsed()) }),
    );
  }

  /** A run that has given rows can't be repeated when the process ends. */
  stream(request: EngineRequest, take: TakeColumns): Promise<StreamEnd> {
    let hasTaken = false;
    const taking: TakeColumns = (batch) => {
      hasTaken = true;
      return take(batch);
    };
    return this.#calls.make(keyOf(request), request.signal, async (session, signal) => {
      try {
        return await this.#streamIn(session, { ...request, signal }, taking);
      } catch (error) {
        throw hasTaken && error instanceof EngineEndedError ? unavailable(error) : error;
      }
    });
  }

  /** DuckDB bills nothing and can't predict what it will read. */
  async estimate(): Promise<Estimate> {
    return { bytesProcessed: undefined };
  }

  async receive(
    source: string,
    body: AsyncIterable<Uint8Array>,
    { signal, ...options }: ReceiveOptions,
  ): Promise<RowsReceived> {
    const session = await this.#session(signal);
    const { contentEncoding, lineNumbers, origin, skipBadRows, account } = options;
    let credit = appendWindow;
    let more = Promise.withResolvers<void>();
    const onFrame = ({ payload }: Frame) => {
      credit += Buffer.from(payload).readUInt32BE();
      more.resolve();
    };
    const call: AppendCall = { source, contentEncoding, lineNumbers, origin, skipBadRows, account };
    const bodyEnd = new AbortController();
    const { answer, send } = session.begin(calls.append, call, {
      onFrame,
      signal: AbortSignal.any([signal, bodyEnd.signal]),
    });
    // After an early answer, as for invalid rows, the rest of the body isn't read.
    let isAnswered = false;
    const answered = answer.finally(() => {
      isAnswered = true;
      more.resolve();
    });
    answered.catch(() => {});
    try {
      for await (const piece of body) {
        while (credit <= 0 && !isAnswered) {
          more = Promise.withResolvers();
          await more.promise;
        }
        if (isAnswered) break;
        credit -= piece.length;
        await send(calls.bytes, piece);
      }
    } catch (error) {
      // None of a failed body may be committed.
      bodyEnd.abort(error);
      await answered.catch(() => {});
      throw error;
    }
    if (!isAnswered) void send(calls.finish, new Uint8Array());
    try {
      return unpack(await answered);
    } catch (error) {
      throw error instanceof EngineEndedError ? unavailable(error) : error;
    }
  }

  async addEvents(body: Uint8Array, request: EventRequest, signal: AbortSignal): Promise<EventOutcome> {
    const call: EventsCall = { body, request };
    try {
      // Rows that wait for their commit can't be taken back, so the call isn't cancelled.
      return await (await this.#session(signal)).call(calls.events, call);
    } catch (error) {
      throw error instanceof EngineEndedError ? unavailable(error) : error;
    }
  }

  rowCounts(): Promise<ReadonlyMap<string, number>> {
    return this.#calls.make(undefined, never, (session) => session.call(calls.rowCounts, null));
  }

  /** Not repeated when the process ends: some of the rows may be gone. */
  async remove(source: string, rows: RemovedRows, isDryRun: boolean, signal: AbortSignal): Promise<number> {
    try {
      const session = await this.#session(signal);
      if ('plan' in rows) await this.#prepared(session, rows.plan, signal);
      const which = 'plan' in rows ? { planId: rows.plan.id } : rows;
      const call: RemoveCall = { source, isDryRun, ...which };
      return await session.call(calls.remove, call, { signal });
    } catch (error) {
      throw error instanceof EngineEndedError ? unavailable(error) : error;
    }
  }

  state(): Promise<StoreState> {
    return this.#calls.make(undefined, never, (session) => session.call(calls.storeState, null));
  }

  sourceStates(): Promise<readonly SourceState[]> {
    return this.#calls.make(undefined, never, (session) => session.call(calls.sourceStates, null));
  }

  origin(): Promise<RowOrigin | undefined> {
    return this.#calls.make(undefined, never, (session) => session.call(calls.origin, null));
  }

  newest(source: string): Promise<bigint | undefined> {
    return this.#calls.make(undefined, never, (session) => session.call(calls.newest, source));
  }

  async hold<T>(task: (files: HeldFiles) => Promise<T>, signal: AbortSignal): Promise<T> {
    const session = await this.#session(signal);
    const held = Promise.withResolvers<HeldFiles>();
    const failed = new AbortController();
    const { answer, send } = session.begin(calls.hold, null, {
      onFrame: ({ payload }) => held.resolve(unpack(payload)),
      signal: AbortSignal.any([signal, failed.signal]),
    });
    held.promise.catch(() => {});
    const ended = answer.catch((error) => {
      const reason = error instanceof EngineEndedError ? unavailable(error) : error;
      held.reject(reason);
      throw reason;
    });
    ended.catch(() => {});
    try {
      // It ends before the task only by failing.
      const lost = ended.then((): Promise<never> => Promise.reject(unavailable(undefined)));
      const result = await Promise.race([task(await held.promise), lost]);
      void send(calls.release, new Uint8Array());
      await ended;
      return result;
    } catch (error) {
      failed.abort(error);
      await ended.catch(() => {});
      throw error;
    }
  }

  /**
   * Gives the store other sources: see `Store.useSources`. A process that replaces this one opens the store with them. For
   * one call at a time.
   */
  async useSources(sources: readonly Source[]): Promise<void> {
    this.#nextSources = sources;
    try {
      await this.#calls.make(undefined, never, (session) => session.call(calls.sources, sources));
      this.#sources = sources;
      this.#nextSources = undefined;
    } catch (error) {
      // After any other failure, the store may have them.
      if (isRefusal(error)) this.#nextSources = undefined;
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.isReady) await this.#closeStore().catch(() => {});
    await this.#supervisor.close();
  }

  async #closeStore(): Promise<void> {
    const session = await this.#supervisor.current();
    // Don't wait for a process that hangs or is stopped: committed rows are safe.
    await raceWithAbort(() => heartbeat.sendPing(session), AbortSignal.timeout(closingPingTimeoutMs));
    await session.call(calls.close, null, { signal: AbortSignal.timeout(10_000) });
  }

  #session(signal: AbortSignal): Promise<EngineSession> {
    return withRestartTimeout(signal, async (either) => {
      await this.#exclusive.untilReleased(either);
      return this.#supervisor.current(either);
    });
  }

  async #prepared(session: EngineSession, plan: Plan, signal: AbortSignal): Promise<void> {
    await session.call(calls.prepare, plan.packed, { signal });
    session.plans.add(plan.id);
  }

  async #runIn(session: EngineSession, request: EngineRequest): Promise<EngineResult> {
    const { plan, parameters, maxRows, wanted, timeoutMs, signal, isCacheable, account } = request;
    if (!session.plans.has(plan.id)) await this.#prepared(session, plan, signal);
    const form = isCacheable ? 'zstd' : 'plain';
    const call: RunCall = {
      planId: plan.id,
      parameters,
      maxRows,
      wanted,
      timeoutMs,
      form,
      window: undefined,
      account,
    };
    let pieces: Buffer[] = [];
    let count = 0;
    const onFrame = ({ kind, payload }: Frame) => {
      if (kind === replies.begin) {
        pieces = [];
        count = 0;
        return;
      }
      const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
      count += bytes.readUInt32BE();
      pieces.push(bytes.subarray(4));
    };
    try {
      const { truncated, engineMs } = await session.call<RunAnswer>(calls.run, call, { onFrame, signal });
      return { columns: plan.columns, rows: packedRows(pieces, count), truncated, engineMs };
    } catch (error) {
      if (!(error instanceof UnknownPlanError)) throw error;
      session.plans.delete(plan.id);
      return this.#runIn(session, request);
    }
  }

  async #streamIn(session: EngineSession, request: EngineRequest, take: TakeColumns): Promise<StreamEnd> {
    const { plan, parameters, maxRows, wanted, timeoutMs, signal, account } = request;
    if (!session.plans.has(plan.id)) await this.#prepared(session, plan, signal);
    const call: RunCall = {
      ...{ planId: plan.id, parameters, maxRows, wanted, timeoutMs, form: 'plain' },
      ...{ window: streamWindow, account },
    };
    const failed = new AbortController();
    const chunks = new ChunkQueue();
    let consumed = 0;
    const { answer, send } = session.begin(calls.run, call, {
      onFrame: ({ payload }) => chunks.push(payload),
      signal: AbortSignal.any([signal, failed.signal]),
    });
    const end = answer.finally(() => chunks.end());
    end.catch(() => {});
    try {
      for await (const chunk of chunks) {
        await take(unpackBatch(chunk));
        session.pool.release(chunk);
        consumed += chunk.length;
        if (consumed >= collectAfterBytes) {
          consumed = 0;
          collectYoungGarbage();
        }
        const credit = Buffer.alloc(4);
        credit.writeUInt32BE(chunk.length);
        void send(calls.credit, credit);
      }
    } catch (error) {
      failed.abort(error);
      await end.catch(() => {});
      throw error;
    }
    try {
      return unpack(await end);
    } catch (error) {
      if (!(error instanceof UnknownPlanError)) throw error;
      session.plans.delete(plan.id);
      return this.#streamIn(session, request, take);
    }
  }
}

/** @throws GatewayError BACKEND_UNAVAILABLE if no process is available within `restartTimeoutMs`; the signal's reason */
async function withRestartTimeout(
  signal: AbortSignal,
  wait: (either: AbortSignal) => Promise<EngineSession>,
): Promise<EngineSession> {
  try {
    return await wait(AbortSignal.any([signal, AbortSignal.timeout(restartTimeoutMs)]));
  } catch (error) {
    signal.throwIfAborted();
    throw unavailable(error);
  }
}

/** Equal for runs of the same plan, parameters and row limit. */
function keyOf({ plan, parameters, maxRows }: EngineRequest): string {
  const hash = createHash('sha256').update(plan.id).update(String(maxRows));
  for (const [name, value] of parameters)
    hash.update(
      `${JSON.stringify(name)}:${JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))}`,
    );
  return hash.digest('base64url');
}

/** Whether the store can't have the sources because of its rows. */
function isRefusal(error: unknown): boolean {
  return error instanceof StoreError && error.kind === 'schema';
}

function blamed(cause: unknown): GatewayError {
  const message = 'The engine stopped twice while it ran this query';
  return new GatewayError('QUERY_FAILED', message, { cause, retryAfterSeconds: refusedForSeconds });
}

function unavailable(cause: unknown): GatewayError {
  const message = 'The engine is restarting. Try again in a moment.';
  return new GatewayError('BACKEND_UNAVAILABLE', message, { cause, retryAfterSeconds: 1 });
}

function busy(cause: unknown): GatewayError {
  const message = 'The engine stopped while it ran this query, and cannot repeat it at the moment.';
  return new GatewayError('OVERLOADED', message, { cause, retryAfterSeconds: 1 });
}
