import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { GatewayError } from '../../errors.ts';
import type { ChunkForm } from '../chunk-parser.ts';
import type { ParseAnswer, ParseOrder, ThreadSettings } from './parse-order.ts';

/** More threads would only wait for DuckDB, and each takes some memory. */
const maxThreads = 8;

/** Maximum number of chunks per thread: the current one and the next. */
const maxOrders = 2;

interface Waiting {
  readonly form: ChunkForm;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly answer: PromiseWithResolvers<ParseAnswer>;
}

/**
 * Threads that parse chunks of lines, shared by all imports of a process. They start on demand and end when no import uses
 * them.
 */
export class ParseThreads {
  readonly size = Math.min(availableParallelism(), maxThreads);
  readonly #settings: ThreadSettings;
  readonly #program: URL;
  readonly #threads = new Set<ParseThread>();
  #waiting: Waiting[] = [];
  #users = 0;

  /** @param program the module that the threads run, replaced in tests */
  constructor(settings: ThreadSettings, program = new URL('parse-thread.ts', import.meta.url)) {
    this.#settings = settings;
    this.#program = program;
  }

  /** The present number of threads. */
  get running(): number {
    return this.#threads.size;
  }

  /**
   * Called before the first chunk of an import. The returned value is to be closed after the last one, or when the import
   * ends early.
   */
  join(form: ChunkForm): ParseUser {
    this.#users += 1;
    const ofUser = new Set<Waiting>();
    let hasLeft = false;
    return {
      parse: async (bytes) => {
        const waiting = { form, bytes, answer: Promise.withResolvers<ParseAnswer>() };
        ofUser.add(waiting);
        this.#waiting.push(waiting);
        this.#next();
        try {
          return await waiting.answer.promise;
        } finally {
          ofUser.delete(waiting);
        }
      },
      leave: async () => {
        if (hasLeft) return;
        hasLeft = true;
        this.#waiting = this.#waiting.filter((waiting) => !ofUser.has(waiting));
        this.#users -= 1;
        if (this.#users > 0) return;
        const threads = [...this.#threads];
        this.#threads.clear();
        await Promise.all(threads.map((thread) => thread.end()));
      },
    };
  }

  /** Assigns waiting chunks to threads with capacity, the idlest first. */
  #next(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#thread();
      if (thread === undefined) return;
      const waiting = this.#waiting.shift();
      if (waiting !== undefined) thread.take(waiting);
    }
  }

  #thread(): ParseThread | undefined {
    const [idlest] = [...this.#threads].sort((a, b) => a.orders - b.orders);
    if (idlest !== undefined && idlest.orders === 0) return idlest;
    if (this.#threads.size < this.size) {
      const thread = new ParseThread(this.#program, this.#settings, {
        onAnswer: () => this.#next(),
        onEnd: () => {
          this.#threads.delete(thread);
          this.#next();
        },
      });
      this.#threads.add(thread);
      return thread;
    }
    return idlest !== undefined && idlest.orders < maxOrders ? idlest : undefined;
  }
}

/** An import's use of the threads. */
interface ParseUser {
  /**
   * Parses a chunk. Its bytes are transferred until the result returns them. Rejects with a `GatewayError` when the thread
   * fails.
   */
  parse(bytes: Uint8Array<ArrayBuffer>): Promise<ParseAnswer>;
  /** Ends this use. Resolves when the threads that no other import needs have ended. */
  leave(): Promise<void>;
}

interface ThreadEvents {
  readonly onAnswer: () => void;
  readonly onEnd: () => void;
}

class ParseThread {
  readonly #worker: Worker;
  readonly #orders = new Map<number, PromiseWithResolvers<ParseAnswer>>();
  readonly #forms = new Map<ChunkForm, number>();
  #lastOrder = 0;

  constructor(program: URL, settings: ThreadSettings, { onAnswer, onEnd }: ThreadEvents) {
    this.#worker = new Worker(program, { workerData: settings });
    this.#worker.on('message', (answer: ParseAnswer) => {
      this.#orders.get(answer.id)?.resolve(answer);
      this.#orders.delete(answer.id);
      onAnswer();
    });
    let cause: unknown;
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#worker.on('exit', () => {
      const message = 'A thread that checks rows has failed. Nothing was imported.';
      for (const { reject } of this.#orders.values()) {
        reject(new GatewayError('BACKEND_UNAVAILABLE', message, { cause }));
      }
      this.#orders.clear();
      onEnd();
    });
  }

  get orders(): number {
    return this.#orders.size;
  }

  take({ form, bytes, answer }: Waiting): void {
    const id = ++this.#lastOrder;
    const known = this.#forms.get(form);
    const formId = known ?? this.#forms.size;
    if (known === undefined) this.#forms.set(form, formId);
    this.#orders.set(id, answer);
    const order: ParseOrder = { id, formId, form: known === undefined ? form : undefined, bytes };
    this.#worker.postMessage(order, [bytes.buffer]);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
