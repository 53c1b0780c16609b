import path from 'node:path';
import { never } from '../../base/async/race-with-abort.ts';
import type { Clock } from '../../base/clock/clock.ts';
import { Child, type ProgramLimits } from '../../base/processes/child.ts';
import { makePrivateFolder } from '../../base/processes/private-folder.ts';
import type { Supervised } from '../../base/processes/supervised.ts';
import { analyzerProgram } from './binary.ts';
import type { Catalog } from './catalog.ts';
import { AnalyzerClient } from './client.ts';
import { type AnalyzerMethod, loadProtocol } from './protocol.ts';

/** The process's name in messages. */
export const analyzerName = 'The SQL analyzer';

/**
 * Milliseconds in which the program must start to listen. Connecting earlier costs a back-off of a second (measured).
 */
const startTimeoutMs = 15_000;

/** One analyzer process, its connection, and the catalogs registered in it. All three end together. */
export class AnalyzerSession implements Supervised {
  readonly #process: Child;
  readonly #address: string;
  #client: AnalyzerClient;
  readonly #timeoutMs: number;
  readonly #catalogs = new WeakMap<Catalog, Promise<string>>();

  private constructor(process: Child, address: string, timeoutMs: number) {
    this.#process = process;
    this.#address = address;
    this.#client = new AnalyzerClient(address);
    this.#timeoutMs = timeoutMs;
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
    return new AnalyzerSession(await Child.start(program, folder, clock), `${socket}:0`, timeoutMs);
  }

  get pid(): number {
    return this.#process.pid;
  }

  get exited(): Promise<string> {
    return this.#process.exited;
  }

  call(method: AnalyzerMethod, request: object, signal = never): Promise<unknown> {
    return this.#client.call(method, request, this.#timeoutMs, signal);
  }

  /**
   * Makes a call over its own connection. A response that breaks the protocol fails every call on its connection, so a
   * text suspected of causing one is isolated.
   */
  async callAlone(method: AnalyzerMethod, request: object, signal: AbortSignal): Promise<unknown> {
    const client = new AnalyzerClient(this.#address);
    try {
      return await client.call(method, request, this.#timeoutMs, signal);
    } finally {
      client.close();
    }
  }

  /** Leaves a broken connection to its remaining calls, and opens a new one. */
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
