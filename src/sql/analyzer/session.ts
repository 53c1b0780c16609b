import path from 'node:path';
import { Client, credentials, type ServiceError, status } from '@grpc/grpc-js';
import { never } from '../../base/async/race-with-abort.ts';
import { Child, type ProgramLimits } from '../../base/processes/child.ts';
import { makePrivateFolder } from '../../base/processes/private-folder.ts';
import type { Supervised } from '../../base/processes/supervised.ts';
import { watchDuring } from '../../base/processes/watch-during.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Catalog } from './catalog.ts';
import { languageOptions } from './language.ts';
import { analyzerProgram } from './protocol/binary.ts';
import { type AnalyzerMethod, loadProtocol, messageTypes } from './protocol/protocol.ts';

/**
 * The longest accepted response. A hundred joins of a table of nested records make 8 MB, a stored query of nine CTEs a thirtieth
 * (measured). Most of a long one repeats types, which are read once.
 */
const maxAnswerBytes = 48 * 1024 * 1024;

/** A connection to one analyzer process. */
class AnalyzerClient {
  readonly #client: Client;

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': maxAnswerBytes,
      'grpc.max_send_message_length': -1,
      // By default, all clients of one address share a connection.
      'grpc.use_local_subchannel_pool': 1,
    });
  }

  /**
   * Makes one call. The analyzer continues to work after the deadline, so the process must be ended when it passes. It
   * also continues after gRPC cancels the call (measured): a cancelled call is awaited as well, but its response is
   * ignored.
   *
   * @param deadlineMs milliseconds from now
   * @throws gRPC's `ServiceError`
   */
  async call(
    method: AnalyzerMethod,
    request: object,
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { path, encode, decode } = messageTypes(method);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#client.makeUnaryRequest(
      path,
      encode,
      (bytes) => (signal.aborted ? undefined : decode(bytes)),
      request,
      { deadline: Date.now() + deadlineMs },
      (error: ServiceError | null, answer: unknown) => (error ? reject(error) : resolve(answer)),
    );
    return promise;
  }

  close(): void {
    this.#client.close();
  }
}

/** The process's name in messages. */
export const analyzerName = 'The SQL analyzer';

/**
 * Milliseconds in which the program must start to listen. Connecting earlier costs a back-off of a second (measured).
 */
const startTimeoutMs = 15_000;

/** How often a process that works for long must answer a ping, and how many in a row may have no answer. */
const watch = { heartbeatMs: 150, maxMissed: 6 };

/** One analyzer process, its connection, and the catalogs registered in it. All three end together. */
export class AnalyzerSession implements Supervised {
  readonly #process: Child;
  readonly #address: string;
  #client: AnalyzerClient;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #catalogs = new WeakMap<Catalog, Promise<string>>();

  private constructor(process: Child, address: string, timeoutMs: number, clock: Clock) {
    this.#process = process;
    this.#address = address;
    this.#client = new AnalyzerClient(address);
    this.#timeoutMs = timeoutMs;
    this.#clock = clock;
    void process.exited.then(() => this.#client.close());
  }

  /**
   * @param timeoutMs the timeout of each call, in milliseconds
   * @throws when the program ends, or doesn't listen within 15 s
   */
  static async start(limits: ProgramLimits, timeoutMs: number, clock: Clock): Promise<AnalyzerSession> {
    // Reading the protocol definitions takes longer than starting the program: both happen concurrently.
    setImmediate(loadProtocol);
    const command = analyzerProgram();
    const folder = await makePrivateFolder('analyzer');
    const socket = `unix:${path.join(folder, 'socket')}`;
    const sign = { text: 'listening', withinMs: startTimeoutMs };
    const program = { name: analyzerName, command, args: [socket, '0'], limits, sign };
    return new AnalyzerSession(await Child.start(program, folder, clock), `${socket}:0`, timeoutMs, clock);
  }

  get pid(): number {
    return this.#process.pid;
  }

  get exited(): Promise<string> {
    return this.#process.exited;
  }

  /**
   * Makes one call. Ends the process if it answers nothing, as one that is stopped.
   *
   * @throws gRPC's `ServiceError`
   */
  async call(method: AnalyzerMethod, request: object, signal = never): Promise<unknown> {
    const answer = this.#client.call(method, request, this.#timeoutMs, signal);
    const watching = this.#clock.after(watch.heartbeatMs, () => {
      const sendPing = () => this.#ping();
      watchDuring(this, answer, { ...watch, sendPing }, this.#clock, never).catch(() => {});
    });
    try {
      return await answer;
    } finally {
      watching.cancel();
    }
  }

  /** Answered by a process that works on something else, too. A refusal is an answer. */
  async #ping(): Promise<void> {
    const request = { sql_statement: 'SELECT 1', options: languageOptions };
    await this.#client.call('parse', request, this.#timeoutMs, never).catch((error: ServiceError) => {
      if (error.code === status.UNAVAILABLE || error.code === status.DEADLINE_EXCEEDED) throw error;
    });
  }

  /** Replaces a connection on which a response broke the protocol: all further calls would fail. */
  reconnect(): void {
    this.#client.close();
    this.#client = new AnalyzerClient(this.#address);
  }

  /** The id under which this process has registered a catalog. Registers it on first use. */
  register(catalog: Catalog, toProto: (catalog: Catalog) => object): Promise<string> {
    let id = this.#catalogs.get(catalog);
    if (id === undefined) {
      id = this.call('registerCatalog', { simple_catalog: toProto(catalog) }).then(
        (answer) => (answer as { registered_id: string }).registered_id,
      );
      id.catch(() => this.#catalogs.delete(catalog));
      this.#catalogs.set(catalog, id);
    }
    return id;
  }

  end(reason: string): Promise<void> {
    return this.#process.end(reason);
  }
}
