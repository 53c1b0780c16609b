import path from 'node:path';
import { never } from '../../async/race-with-abort.ts';
import type { Clock } from '../../clock.ts';
import { Child, type ProgramLimits } from '../../processes/child.ts';
import { makePrivateFolder } from '../../processes/private-folder.ts';
import type { Supervised } from '../../processes/supervised.ts';
import { analyzerProgram } from './binary.ts';
import type { Catalog } from './catalog.ts';
import { AnalyzerClient } from './client.ts';
import { type AnalyzerMethod, loadProtocol } from './protocol.ts';

/** What messages call the process. */
export const analyzerName = 'The SQL analyzer';

/** How long the program may take until it listens, in milliseconds. Dialling earlier costs a back-off of a second (measured). */
const startTimeoutMs = 15_000;

/** One analyzer process with its connection and the catalogs registered in it; all three end together. */
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
   * @param timeoutMs milliseconds that each call may take
   * @throws when the program ends, or doesn't listen within 15 s
   */
  static async start(limits: ProgramLimits, timeoutMs: number, clock: Clock): Promise<AnalyzerSession> {
    // Reading the protocol definitions takes longer than the program takes to start: do both at once.
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
   * A call over a connection of its own. An answer that breaks the protocol takes every call on its connection
   * with it, so the text that is suspected of causing one is tried where it can't harm others.
   */
  async callAlone(method: AnalyzerMethod, request: object, signal: AbortSignal): Promise<unknown> {
    const client = new AnalyzerClient(this.#address);
    try {
      return await client.call(method, request, this.#timeoutMs, signal);
    } finally {
      client.close();
    }
  }

  /** Leaves a broken connection to the calls that are still on it, and opens a new one. */
  reconnect(): void {
    this.#client.close();
    this.#client = new AnalyzerClient(this.#address);
  }

  /** The id under which this process knows a catalog; registers it when it is new here. */
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
