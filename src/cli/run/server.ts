import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { CommandError, UsageError } from '../../base/errors/command-error.ts';
import { visibleText, withoutCommand } from '../../base/terminal/visible-text.ts';
import { parsedJson } from '../../base/text/parsed-json.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { OutputFormat } from './run-options.ts';

/** A gateway to call, and the key to call it with. */
export interface ServerAddress {
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly key: string | undefined;
}

/**
 * Reads the address of a gateway.
 *
 * @throws UsageError for an invalid address
 */
export function readServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--server ${text}: expected an address, such as http://127.0.0.1:4000`);
  // They would be shown in messages, and the gateway has no use for them.
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      `--server: the address of ${url.host} has a user name or a password. Use SERVER_KEY.`,
    );
  return text.replace(/[?#].*$/, '').replace(/\/+$/, '');
}

/**
 * Reads an API key, which is sent in a header.
 *
 * @throws UsageError for a text that can't be in one
 */
export function readServerKey(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new UsageError('--key: expected visible ASCII characters without spaces');
}

const refusal = z.object({
  error: z.string(),
  code: z.string().optional(),
  parameter: z.string().optional(),
});

/** The error for an answer that is no result. It says what to do, if the answer has enough details. */
export function refused(server: ServerAddress, status: number | undefined, body: string): CommandError {
  const read = refusal.safeParse(parsedJson(body));
  if (!read.success)
    return new CommandError(
      `${server.url} answers with status ${status}, and is not a gateway. Check --server or SERVER_URL.`,
    );
  const { parameter } = read.data;
  const error = withoutCommand(visibleText(read.data.error));
  if (status === 401) {
    const what = server.key === undefined ? 'needs a key' : 'does not accept the key';
    return new CommandError(`The gateway at ${server.url} ${what}: ${error}. Set SERVER_KEY, or use --key.`);
  }
  if (status === 404) return new UsageError(`${error} ${server.url}/api/endpoints lists the endpoints.`);
  const isOfValue = status === 400 && parameter !== undefined && parameter !== 'sql' && parameter !== 'lql';
  return isOfValue
    ? new UsageError(`${error} Use --param ${visibleText(parameter)}=…`)
    : new CommandError(error);
}

/**
 * The error for a gateway that can't be reached, or whose answer breaks.
 *
 * @param what says which of them, such as `does not answer`
 */
export function unreachable({ url }: ServerAddress, cause: unknown, what: string): CommandError {
  const isNamed = cause instanceof Error && 'code' in cause && typeof cause.code === 'string';
  const reason = isNamed ? cause.code : cause instanceof Error ? cause.message : String(cause);
  return new CommandError(
    `The gateway at ${url} ${what} (${reason}). Is it running? Check --server or SERVER_URL.`,
    cause,
  );
}

/** In milliseconds. A gateway answers when the time of a query is over, so it is silent for longer only if it hangs. */
const beyondQueryMs = 60_000;

/** In milliseconds. The gateway may give queries more time than the settings here say. */
const minSilenceMs = 120_000;

/** How long a gateway may send nothing, in milliseconds. Answers in the formats of exports may be exports. */
export function maxSilenceMs(
  { requestTimeoutMs, exportTimeoutMs }: Pick<Config, 'requestTimeoutMs' | 'exportTimeoutMs'>,
  format: OutputFormat,
): number {
  const isExport = format === 'csv' || format === 'ndjson';
  const queryMs = isExport ? Math.max(requestTimeoutMs, exportTimeoutMs) : requestTimeoutMs;
  return Math.max(minSilenceMs, queryMs + beyondQueryMs);
}

/** The error for a gateway that is silent for too long. */
export function silent({ url }: ServerAddress, silenceMs: number): CommandError {
  return new CommandError(
    `The gateway at ${url} has sent nothing for ${silenceMs / 1000} s. If its queries take longer, increase REQUEST_TIMEOUT_MS here.`,
  );
}

/**
 * The pieces of an answer. The time in which the reader doesn't ask for the next one doesn't count.
 *
 * @throws CommandError if the next one does not come in time; what the response throws
 */
export async function* untilSilent(
  server: ServerAddress,
  response: IncomingMessage,
  silenceMs: number,
): AsyncGenerator<Uint8Array> {
  const wait = () => setTimeout(() => response.destroy(silent(server, silenceMs)), silenceMs);
  let waiting = wait();
  try {
    for await (const piece of response as AsyncIterable<Uint8Array>) {
      clearTimeout(waiting);
      yield piece;
      waiting = wait();
    }
  } finally {
    clearTimeout(waiting);
  }
}
