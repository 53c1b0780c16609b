import type { IncomingMessage } from 'node:http';
import { CommandError } from '../../../base/errors/command-error.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import type { OutputFormat } from '../../output/output-formats.ts';
import type { ServerAddress } from './server-address.ts';

/** In milliseconds. A gateway answers when the time of a query is over, so it is silent for longer only if it hangs. */
const beyondQueryMs = 60_000;

/** In milliseconds. The gateway may give queries more time than the settings here say. */
const leastMs = 120_000;

/** How long a gateway may send nothing, in milliseconds. Answers in the formats of exports may be some. */
export function longestSilenceMs(
  { requestTimeoutMs, exportTimeoutMs }: Pick<Config, 'requestTimeoutMs' | 'exportTimeoutMs'>,
  format: OutputFormat,
): number {
  const isExport = format === 'csv' || format === 'ndjson';
  const queryMs = isExport ? Math.max(requestTimeoutMs, exportTimeoutMs) : requestTimeoutMs;
  return Math.max(leastMs, queryMs + beyondQueryMs);
}

/** The error for a gateway that is silent for too long. */
export function silent({ url }: ServerAddress, silenceMs: number): CommandError {
  return new CommandError(
    `The gateway at ${url} sends nothing for ${silenceMs / 1000} s. Does it hang? If its queries take longer, raise REQUEST_TIMEOUT_MS here.`,
  );
}

/**
 * The pieces of an answer. The time in which nobody asks for the next one, as of a slow reader, is no silence.
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
