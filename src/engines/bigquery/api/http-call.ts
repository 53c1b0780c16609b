import type { Readable } from 'node:stream';
import { raceWithAbort } from '../../../base/async/race-with-abort.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import { ApiError, NoAnswer } from './api-error.ts';
import type { ApiCall } from './big-query-api.ts';
import type { Access, Credentials } from './credentials.ts';
import { errorOfAnswer } from './error-answer.ts';

/** More than any page: BigQuery limits pages to about 10 MB, which JSON enlarges. */
const maxBytes = 64 * 1024 * 1024;

interface HttpCallOptions {
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string;
  readonly userAgent: string;
  readonly credentials: Credentials;
  readonly clock: Clock;
}

/** Makes one attempt of a call. Its errors are those of `BigQueryApi.call`. */
export type HttpCall = <T>(call: ApiCall<T>) => Promise<T>;

interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readable;
}

/** Hosts that are never reached through a proxy, whatever the environment says. */
const thisMachine = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Makes attempts with Google's own HTTP client, which handles tokens and proxies. Its retries are off: retries are
 * decided in one place, with a budget.
 */
export function httpCall({ baseUrl, userAgent, credentials, clock }: HttpCallOptions): HttpCall {
  return async (call) => {
    call.signal.throwIfAborted();
    const ending = new AbortController();
    const leave = () => ending.abort(call.signal.reason);
    call.signal.addEventListener('abort', leave, { once: true });
    const timer = clock.after(call.attemptTimeoutMs, () =>
      ending.abort(new NoAnswer(`no answer within ${call.attemptTimeoutMs} ms`, { isLate: true })),
    );
    try {
      return await raceWithAbort(() => attempt(call, ending.signal), ending.signal);
    } finally {
      timer.cancel();
      call.signal.removeEventListener('abort', leave);
    }
  };

  async function attempt<T>(call: ApiCall<T>, signal: AbortSignal): Promise<T> {
    const access = await credentials.access(signal);
    let answer = await send(call, access, signal);
    if (answer.status === 401 && (await credentials.renew(access))) {
      answer.body.destroy();
      answer = await send(call, await credentials.access(signal), signal);
    }
    if (answer.status < 200 || answer.status > 299) {
      const body = await readBody(answer.body).catch(() => '');
      throw errorOfAnswer(answer.status, answer.headers, body, clock.now());
    }
    return understood(call, await readBody(answer.body));
  }

  async function send<T>(
    { method, path, query, body }: ApiCall<T>,
    { client, headers }: Access,
    signal: AbortSignal,
  ): Promise<HttpAnswer> {
    const sent = new Headers(headers);
    sent.set('accept', 'application/json');
    // Google compresses responses only for clients whose name contains "gzip".
    sent.set('user-agent', `${userAgent} (gzip)`);
    if (body !== undefined) sent.set('content-type', 'application/json');
    const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
    try {
      const { status, headers, data } = await client.transporter.request<Readable>({
        url: `${baseUrl}${path}${search}`,
        method,
        headers: sent,
        ...(body === undefined ? {} : { data: typeof body === 'string' ? body : JSON.stringify(body) }),
        signal,
        responseType: 'stream',
        redirect: 'manual',
        noProxy: thisMachine,
        retry: false,
        validateStatus: () => true,
      });
      return { status, headers, body: data };
    } catch (error) {
      throw new NoAnswer(`no connection: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function understood<T>({ answer }: ApiCall<T>, text: string): T {
  const parsed = answer.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  throw new ApiError(undefined, {
    reason: '',
    message: `an answer of another form than expected: ${problems.join(', ')}`,
  });
}

function parseJson(text: string): unknown {
  const json = parsedJson(text);
  if (json !== undefined) return json;
  // A JSON object without its end was cut off by a proxy that also set its length.
  if (/^\s*(\{|$)/.test(text)) throw new NoAnswer('the answer was cut within its JSON');
  throw new ApiError(undefined, { reason: '', message: "an answer that isn't JSON" });
}

/**
 * Reads the body of a response as text.
 *
 * @throws NoAnswer when it is incomplete
 * @throws ApiError when it is too long, or not UTF-8
 */
async function readBody(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new NoAnswer(`the answer was cut: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (bytes > maxBytes) throw unreadable(`an answer of more than ${maxBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks, bytes));
  } catch {
    throw unreadable("an answer that isn't UTF-8");
  }
}

function unreadable(message: string): ApiError {
  return new ApiError(undefined, { reason: '', message });
}
