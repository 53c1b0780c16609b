import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { Caller } from '../../../base/channel/caller.ts';
import { moving, portTransport } from '../../../base/channel/port-transport.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import { ownAccount } from '../../../base/fairness/account.ts';
import { FairQueue } from '../../../base/fairness/fair-queue.ts';
import { startThread } from '../../../base/processes/start-thread.ts';
import { unpackError } from '../../../engines/wire/packed-error.ts';
import type { ChunkForm } from '../parse/chunk-parser.ts';
import { type ParseCalls, type ReturnedChunk, remember, type ThreadSettings } from './parse-calls.ts';

/** More threads would only wait for DuckDB, and each takes some memory. */
const maxThreads = 8;

/**
 * Threads that give way to requests leave half of the processors to queries and their planning. With 40 uploads at a time, a
 * light query took 33 and 43 ms, rather than 124 and 91, and the uploads were as fast (measured, on two cores).
 */
const shareOfLowered = 1 / 2;

/** Maximum number of chunks per thread: the current one and the next. */
const maxOrders = 2;

/** Bytes that an account has parsed in one turn. */
const turnBytes = 64 * 1024;

interface Waiting<Form, Request, Answer> {
  readonly form: Form;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly request: Request;
  readonly answer: PromiseWithResolvers<Answer>;
}

/**
 * Threads that parse bytes: chunks of lines, shared by all imports of a process, or bodies of events. They start on demand
 * and end when nobody uses them.
 */
export class ParseThreads<Form = ChunkForm, Request = number, Answer = ReturnedChunk> {
  readonly size: number;
  readonly #settings: ThreadSettings;
  readonly #program: URL;
  readonly #threads = new Set<ParseThread<Form, Request, Answer>>();
  /** The costs are bytes. */
  readonly #waiting = new FairQueue<Waiting<Form, Request, Answer>>({ quantum: turnBytes });
  #users = 0;

  /** @param program the module that the threads run, replaced in tests */
  constructor(settings: ThreadSettings, program = new URL('parse-thread.ts', import.meta.url)) {
    const processors = availableParallelism() * (settings.isLowered ? shareOfLowered : 1);
    this.size = Math.max(1, Math.min(Math.floor(processors), maxThreads));
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
   *
   * @param account whose turn it is when chunks wait; by default, the gateway's
   */
  join(form: Form, account = ownAccount): ParseUser<Request, Answer> {
    this.#users += 1;
    const ofUser = new Set<Waiting<Form, Request, Answer>>();
    let hasLeft = false;
    return {
      parse: async (bytes, request) => {
        const waiting = { form, bytes, request, answer: Promise.withResolvers<Answer>() };
        ofUser.add(waiting);
        this.#waiting.add(account, waiting, bytes.length);
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
        for (const waiting of ofUser) this.#waiting.delete(waiting);
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
    while (this.#waiting.size > 0) {
      const thread = this.#thread();
      if (thread === undefined) return;
      const next = this.#waiting.next();
      if (next !== undefined) thread.take(next.item);
    }
  }

  #thread(): ParseThread<Form, Request, Answer> | undefined {
    const [idlest] = [...this.#threads].sort((a, b) => a.orders - b.orders);
    if (idlest !== undefined && idlest.orders === 0) return idlest;
    if (this.#threads.size < this.size) {
      const thread: ParseThread<Form, Request, Answer> = new ParseThread(this.#program, this.#settings, {
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
interface ParseUser<Request, Answer> {
  /**
   * Parses a chunk. Its bytes are transferred until the result returns them. Rejects with a `GatewayError` when the thread
   * fails.
   */
  parse(bytes: Uint8Array<ArrayBuffer>, request: Request): Promise<Answer>;
  /** Ends this use. Resolves when the threads that no other import needs have ended. */
  leave(): Promise<void>;
}

interface ThreadEvents {
  readonly onAnswer: () => void;
  readonly onEnd: () => void;
}

class ParseThread<Form, Request, Answer> {
  readonly #worker: Worker;
  readonly #caller: Caller<ParseCalls<Form, Request, Answer>>;
  readonly #onAnswer: () => void;
  readonly #forms = new Map<Form, number>();
  #lastForm = 0;

  constructor(program: URL, settings: ThreadSettings, { onAnswer, onEnd }: ThreadEvents) {
    this.#worker = startThread(program, { workerData: settings });
    this.#caller = new Caller(portTransport(this.#worker), { unpackError });
    this.#onAnswer = onAnswer;
    let cause: unknown;
    this.#worker.on('error', (error) => {
      cause = error;
    });
    this.#worker.on('exit', () => {
      const message = 'A thread that checks rows has failed. Nothing was imported.';
      this.#caller.end(new GatewayError('BACKEND_UNAVAILABLE', message, { cause }));
      onEnd();
    });
  }

  get orders(): number {
    return this.#caller.inFlight;
  }

  take({ form, bytes, request, answer }: Waiting<Form, Request, Answer>): void {
    const known = this.#forms.get(form);
    const formId = known ?? ++this.#lastForm;
    if (known === undefined) remember(this.#forms, form, formId);
    const ofFirst = known === undefined ? form : undefined;
    const moved = moving(bytes, [bytes.buffer]);
    const parsed = this.#caller.calls.parse(formId, ofFirst, moved, request);
    parsed.then(answer.resolve, answer.reject).then(this.#onAnswer);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
