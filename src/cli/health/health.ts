import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { megabytes } from '../../base/forms/bytes.ts';
import type { Output } from '../../base/terminal/output.ts';
import { visibleText, withoutCommand } from '../../base/terminal/visible-text.ts';
import { textUpTo } from '../../base/text/text-up-to.ts';
import type { Config } from '../../definitions/settings/config.ts';

interface HealthOptions {
  /** Whether to ask `/livez` instead of `/readyz`. */
  readonly live?: boolean;
  /** How long to wait for the answer, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Addresses to listen on that mean all addresses of the machine, and one of them to ask. */
const askedFor: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** In bytes. */
const maxBodyBytes = 1e6;

/**
 * Asks the gateway of the same settings for its health, as container engines do: they run a command in the container.
 * The answer's body goes to standard output, on one line and without control characters, because another server than a
 * gateway may answer.
 *
 * @returns 0 if the gateway can answer requests, otherwise 1
 */
export async function healthCommand(
  { host, port }: Pick<Config, 'host' | 'port'>,
  { out, err }: Output,
  { live = false, timeoutMs = 5_000 }: HealthOptions = {},
): Promise<number> {
  if (port === 0) {
    err('PORT is 0, so the gateway listens on a free port. Set PORT to ask for its health.\n');
    return 1;
  }
  const asked = askedFor[host] ?? host;
  const url = `http://${asked.includes(':') ? `[${asked}]` : asked}:${port}${live ? '/livez' : '/readyz'}`;
  try {
    // Not `fetch`, which refuses some ports.
    const request = get(url, { signal: AbortSignal.timeout(timeoutMs), agent: false });
    const [response]: IncomingMessage[] = await once(request, 'response');
    const status = response?.statusCode;
    const body = response === undefined ? '' : await shortBody(response);
    if (body === undefined) {
      err(
        `${url} answers with more than ${megabytes(maxBodyBytes)}, and is not a gateway. Check HOST and PORT.\n`,
      );
      return 1;
    }
    if (status === 200) out(`${withoutCommand(body)}\n`);
    else err(`${url} answered ${status}: ${body}\n`);
    return status === 200 ? 0 : 1;
  } catch (error) {
    err(`${url} did not answer: ${reasonOf(error)}\n`);
    return 1;
  }
}

/** The body on one line. Undefined if it is too long. */
async function shortBody(response: IncomingMessage): Promise<string | undefined> {
  const body = await textUpTo(response, maxBodyBytes);
  return body === undefined ? undefined : visibleText(body.trimEnd());
}

/** An aborted request has the reason as its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
