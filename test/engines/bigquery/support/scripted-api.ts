import { ApiError } from '../../../../src/engines/bigquery/api/api-error.ts';
import type {
  ApiCall,
  BigQueryApi,
  FailedAttempt,
} from '../../../../src/engines/bigquery/api/big-query-api.ts';

/** The calls about jobs, by the method of the API that they are. */
export type Method = 'insert' | 'query' | 'results' | 'get' | 'cancel';

/** One call as it was made. */
export interface SeenCall {
  readonly method: Method;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of requests
  readonly body: any;
  readonly attemptTimeoutMs: number;
}

/** What BigQuery answers: JSON, or an error that the call fails with. May take its time. */
export type Reply = (call: SeenCall, signal: AbortSignal) => unknown;

/**
 * BigQuery by a script: for each method its answers in order, of which the last one is given again. Calls heed their
 * signal and are made once each, as calls with `maxAttempts: 1` are.
 */
export class ScriptedApi implements BigQueryApi {
  readonly calls: SeenCall[] = [];
  /** Pauses before retries that were asked for. */
  readonly pauses: (FailedAttempt & { readonly attempt: number })[] = [];
  mayRetry = true;
  readonly #script: Partial<Record<Method, readonly Reply[]>>;

  constructor(script: Partial<Record<Method, readonly Reply[]>>) {
    this.#script = script;
  }

  /** The calls of a method, in order. */
  of(method: Method): readonly SeenCall[] {
    return this.calls.filter((call) => call.method === method);
  }

  get methods(): readonly Method[] {
    return this.calls.map(({ method }) => method);
  }

  async call<T>({ method: verb, path, query = {}, body, answer, signal, ...call }: ApiCall<T>): Promise<T> {
    signal.throwIfAborted();
    const method = methodOf(verb, path);
    const seen = { method, path, query, body, attemptTimeoutMs: call.attemptTimeoutMs };
    const replies = this.#script[method] ?? [];
    const reply = replies[Math.min(this.of(method).length, replies.length - 1)];
    this.calls.push(seen);
    if (reply === undefined) throw new Error(`${method} isn't in the script`);
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    const replied = await Promise.race([Promise.resolve(reply(seen, signal)), aborted]);
    if (replied instanceof Error) throw replied;
    const parsed = answer.safeParse(replied);
    if (!parsed.success) throw new ApiError(undefined, { reason: '', message: parsed.error.message });
    return parsed.data;
  }

  async pauseBeforeRetry(attempt: number, signal: AbortSignal, after?: FailedAttempt): Promise<boolean> {
    signal.throwIfAborted();
    this.pauses.push({ attempt, ...after });
    return this.mayRetry;
  }
}

function methodOf(verb: string, path: string): Method {
  if (path.endsWith('/cancel')) return 'cancel';
  if (verb === 'POST') return path.endsWith('/queries') ? 'query' : 'insert';
  return path.includes('/queries/') ? 'results' : 'get';
}
