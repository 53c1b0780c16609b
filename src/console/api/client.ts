import { Failure, failureOf } from './failure.ts';
import { formatJson, type Json, parseJson } from './json.ts';

/** A request to the gateway. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  readonly body?: Json;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Calls the gateway's APIs with one key. */
export interface Client {
  readonly key: string;
  /** @throws Failure for every answer that isn't a success; the signal's reason when it is aborted */
  send(path: string, request?: ApiRequest): Promise<Response>;
  /** The JSON of an answer. @throws Failure, and the signal's reason when it is aborted */
  json(path: string, request?: ApiRequest): Promise<Json>;
}

/**
 * @param key sent in a header, never in a URL
 * @param onUnauthenticated called when the gateway doesn't accept the key (any more)
 */
export function createClient(key: string, onUnauthenticated: (failure: Failure) => void): Client {
  async function send(path: string, { method = 'GET', body, accept, headers, signal }: ApiRequest = {}) {
    const response = await reach(path, {
      method,
      headers: {
        'X-API-KEY': key,
        Accept: accept ?? 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: formatJson(body) }),
      ...(signal && { signal }),
      cache: 'no-store',
      credentials: 'omit',
    });
    if (response.ok) return response;
    const failure = failureOf(response, parseOrNull(await response.text()));
    if (response.status === 401) onUnauthenticated(failure);
    throw failure;
  }
  return {
    key,
    send,
    async json(path, request) {
      const response = await send(path, request);
      return parseJson(await bodyText(response));
    },
  };
}

/** The text of a body. @throws Failure if it ends too early */
export async function bodyText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (thrown) {
    throw isAbort(thrown) ? thrown : offline();
  }
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init);
  } catch (thrown) {
    // Aborting rejects with the signal's reason, everything else is a TypeError without details.
    if (init.signal?.aborted || isAbort(thrown)) throw thrown;
    throw offline();
  }
}

/** Asks whether the gateway answers at all. @throws Failure if it doesn't */
export async function requireGateway(): Promise<void> {
  await reach('/livez', { cache: 'no-store', credentials: 'omit' });
}

function offline(): Failure {
  return new Failure('The gateway can\u2019t be reached.', { code: 'OFFLINE', status: 0 });
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === 'AbortError';
}

function parseOrNull(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
