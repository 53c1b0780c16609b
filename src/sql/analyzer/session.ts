import type { Catalog } from './catalog.ts';
import { AnalyzerClient } from './client.ts';
import { type AnalyzerLimits, AnalyzerProcess } from './process.ts';
import { type AnalyzerMethod, loadProtocol } from './protocol.ts';

/** One analyzer process with its connection and the catalogs registered in it; all three end together. */
export class AnalyzerSession {
  readonly #process: AnalyzerProcess;
  #client: AnalyzerClient;
  readonly #timeoutMs: number;
  readonly #catalogs = new WeakMap<Catalog, Promise<string>>();

  private constructor(process: AnalyzerProcess, timeoutMs: number) {
    this.#process = process;
    this.#client = new AnalyzerClient(process.address);
    this.#timeoutMs = timeoutMs;
    void process.exited.then(() => this.#client.close());
  }

  /** @param timeoutMs milliseconds that each call may take */
  static async start(limits: AnalyzerLimits, timeoutMs: number): Promise<AnalyzerSession> {
    const starting = AnalyzerProcess.start(limits);
    // Reading the protocol definitions takes longer than the program takes to start: do both at once.
    setImmediate(loadProtocol);
    return new AnalyzerSession(await starting, timeoutMs);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Resolves with what ended the process. */
  get exited(): Promise<string> {
    return this.#process.exited;
  }

  call(method: AnalyzerMethod, request: object): Promise<unknown> {
    return this.#client.call(method, request, this.#timeoutMs);
  }

  /**
   * A call over a connection of its own. An answer that breaks the protocol takes every call on its connection
   * with it, so the text that is suspected of causing one is tried where it can't harm others.
   */
  async callAlone(method: AnalyzerMethod, request: object): Promise<unknown> {
    const client = new AnalyzerClient(this.#process.address);
    try {
      return await client.call(method, request, this.#timeoutMs);
    } finally {
      client.close();
    }
  }

  /** Leaves a broken connection to the calls that are still on it, and opens a new one. */
  reconnect(): void {
    this.#client.close();
    this.#client = new AnalyzerClient(this.#process.address);
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

  stop(): Promise<void> {
    return this.#process.stop();
  }
}
