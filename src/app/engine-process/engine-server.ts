import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { readFrames } from '../../base/processes/frame-reader.ts';
import { FrameWriter } from '../../base/processes/frame-writer.ts';
import type { Frame } from '../../base/processes/frames.ts';
import { MemoryPool } from '../../base/processes/memory-pool.ts';
import type { Log } from '../../base/terminal/log.ts';
import { inChunks } from '../../engines/rows/in-chunks.ts';
import { packChunk } from '../../engines/rows/packed-chunk.ts';
import { packError, UnknownPlanError } from '../../engines/wire/packed-error.ts';
import type { EventOutcome } from '../../rows/ingest/events/event-outcome.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import { packBatch } from '../../sql/columns/packed-batch.ts';
import { type Plan, unpackPlan } from '../../sql/plan/plan.ts';
import type { Row } from '../../sql/values/value.ts';
import { Body } from './body.ts';
import { Credit } from './credit.ts';
import { type OpenedDuckDb, openDuckDb } from './open-duckdb.ts';
import {
  type AppendCall,
  calls,
  type EventsCall,
  type LogLine,
  maxPayloadBytes,
  maxPlansBytes,
  type OpenCall,
  pack,
  protocolVersion,
  type RemoveCall,
  type RunCall,
  replies,
  unpack,
} from './protocol.ts';

const noBytes = new Uint8Array();

/** A call in flight. */
interface Running {
  readonly controller: AbortController;
  /** The body of an `append` call. */
  readonly body?: Body;
  /** The credit of a `run` call with a window. */
  credit?: Credit;
  /** Ends a `hold` call. */
  release?: () => void;
}

/** The engine process's side of the protocol: see `protocol.ts`. */
export class EngineServer {
  readonly #connection: Socket;
  readonly #writer: FrameWriter;
  readonly #running = new Map<number, Running>();
  readonly #plans = new LRUCache<string, Plan>({
    maxSize: maxPlansBytes,
    sizeCalculation: ({ packed }) => packed.length,
  });
  readonly #log: Log;
  /** For the columns that are being sent. */
  readonly #pool = new MemoryPool();
  #opened: OpenedDuckDb | undefined;

  constructor(connection: Socket) {
    this.#connection = connection;
    this.#writer = new FrameWriter(connection);
    const logAt =
      (level: LogLine['level']) =>
      (message: string, fields: LogLine['fields'] = {}) =>
        void this.#writer.send({ kind: replies.log, id: 0, payload: pack({ level, message, fields }) });
    this.#log = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
    readFrames(connection, { maxPayloadBytes }, (frame) => this.#take(frame));
  }

  #take(frame: Frame): void {
    const running = this.#running.get(frame.id);
    switch (frame.kind) {
      case calls.cancel:
        running?.controller.abort(new GatewayError('QUERY_TIMEOUT', 'The query was cancelled'));
        break;
      case calls.bytes:
        running?.body?.push(frame.payload);
        break;
      case calls.finish:
        running?.body?.end();
        break;
      case calls.credit:
        running?.credit?.add(Buffer.from(frame.payload).readUInt32BE());
        break;
      case calls.release:
        running?.release?.();
        break;
      default:
        void this.#answer(frame);
    }
  }

  async #answer(frame: Frame): Promise<void> {
    const { id } = frame;
    const controller = new AbortController();
    const body = frame.kind === calls.append ? new Body((bytes) => this.#credit(id, bytes)) : undefined;
    this.#running.set(id, { controller, ...(body && { body }) });
    try {
      const answer = await this.#work(frame, controller.signal, body);
      this.#send(replies.answer, id, pack(answer));
    } catch (error) {
      this.#send(replies.error, id, packError(error));
    } finally {
      this.#running.delete(id);
    }
    if (frame.kind === calls.close) this.#connection.end();
    // Only another process can reopen a failed store.
    if (this.#opened?.hasFailed()) this.#connection.end();
  }

  #work({ kind, id, payload }: Frame, signal: AbortSignal, body: Body | undefined): Promise<unknown> {
    switch (kind) {
      case calls.open:
        return this.#open(unpack(payload), id);
      case calls.prepare:
        return this.#prepare(unpackPlan(payload));
      case calls.run:
        return this.#run(unpack(payload), id, signal);
      case calls.append:
        return this.#append(unpack(payload), signal, body);
      case calls.rowCounts:
        return this.#rows.rowCounts();
      case calls.sourceStates:
        return this.#rows.sourceStates();
      case calls.remove:
        return this.#remove(unpack(payload), signal);
      case calls.storeState:
        return Promise.resolve(this.#rows.state());
      case calls.origin:
        return this.#rows.origin();
      case calls.newest:
        return this.#rows.newest(unpack(payload));
      case calls.sources:
        return this.#current.useSources(unpack(payload));
      case calls.events:
        return this.#addEvents(unpack(payload), signal);
      case calls.hold:
        return this.#hold(id, signal);
      case calls.ping:
        return Promise.resolve();
      case calls.close:
        return this.#close();
      default:
        return Promise.reject(new TypeError(`Unknown engine call ${kind}`));
    }
  }

  async #open({ version, ...settings }: OpenCall, id: number): Promise<void> {
    if (version !== protocolVersion)
      throw new Error(`The engine's protocol version is ${protocolVersion}, the gateway's is ${version}`);
    this.#opened = await openDuckDb(settings, {
      log: this.#log,
      onMove: (progress) => this.#send(replies.moved, id, pack(progress)),
      onChange: (changes) => this.#send(replies.changed, 0, pack(changes)),
    });
  }

  async #prepare(plan: Plan): Promise<void> {
    await this.#engine.prepare(plan);
    this.#plans.set(plan.id, plan);
  }

  async #run({ planId, form, wanted, window, ...call }: RunCall, id: number, signal: AbortSignal) {
    const plan = this.#plan(planId);
    const request = { ...call, plan, signal, ...(wanted !== undefined && { wanted }) };
    const credit = window === undefined ? undefined : new Credit(window);
    const running = this.#running.get(id);
    if (running !== undefined && credit !== undefined) running.credit = credit;
    if (credit !== undefined)
      return this.#engine.stream(request, async (batch) => {
        const payload = packBatch(batch, (bytes) => this.#pool.take(bytes));
        await credit.use(payload.length, signal);
        await this.#send(replies.columns, id, payload, () => this.#pool.release(payload));
      });
    const take = async (rows: readonly Row[]) => {
      for (const chunk of inChunks(rows)) {
        const count = Buffer.alloc(4);
        count.writeUInt32BE(chunk.length);
        const payload = Buffer.concat([count, packChunk(chunk, form)]);
        await this.#send(replies.rows, id, payload);
      }
    };
    return this.#engine.read(request, { begin: () => void this.#send(replies.begin, id, noBytes), take });
  }

  async #append({ source, ...options }: AppendCall, signal: AbortSignal, body: Body | undefined) {
    if (body === undefined) throw new TypeError('An append call needs a body');
    const { contentEncoding, lineNumbers, origin, skipBadRows, account } = options;
    return this.#rows.receive(source, body, {
      skipBadRows,
      account,
      signal,
      ...(contentEncoding !== undefined && { contentEncoding }),
      ...(lineNumbers !== undefined && { lineNumbers }),
      ...(origin !== undefined && { origin }),
    });
  }

  async #remove({ source, before, planId, isDryRun }: RemoveCall, signal: AbortSignal): Promise<number> {
    const { remover } = this.#current;
    if (before !== undefined) return remover.remove(source, { before }, isDryRun, signal);
    return remover.remove(source, { plan: this.#plan(planId ?? '') }, isDryRun, signal);
  }

  /** @throws UnknownPlanError */
  #plan(id: string): Plan {
    const plan = this.#plans.get(id);
    if (plan === undefined) throw new UnknownPlanError('Unknown plan');
    return plan;
  }

  #addEvents({ body, request }: EventsCall, signal: AbortSignal): Promise<EventOutcome> {
    return this.#rows.addEvents(body, request, signal);
  }

  #hold(id: number, signal: AbortSignal): Promise<void> {
    const { promise: released, resolve } = Promise.withResolvers<void>();
    const running = this.#running.get(id);
    if (running !== undefined) running.release = resolve;
    return this.#rows.hold(async (files) => {
      void this.#send(replies.held, id, pack(files));
      await raceWithAbort(() => released, signal);
    }, signal);
  }

  async #close(): Promise<void> {
    for (const { controller } of this.#running.values())
      controller.abort(new GatewayError('BACKEND_UNAVAILABLE', 'The engine is stopping'));
    await this.#opened?.close();
  }

  get #engine() {
    return this.#current.engine;
  }

  get #rows(): RowStore {
    return this.#current.rows;
  }

  get #current(): OpenedDuckDb {
    if (this.#opened === undefined) throw new Error('The engine is not open');
    return this.#opened;
  }

  #credit(id: number, bytes: number): void {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(bytes);
    this.#send(replies.credit, id, payload);
  }

  #send(kind: number, id: number, payload: Uint8Array, whenWritten?: () => void): Promise<void> | undefined {
    try {
      return this.#writer.send({ kind, id, payload }, whenWritten);
    } catch {
      // The gateway is gone, so this process is ending, too.
      return undefined;
    }
  }
}
