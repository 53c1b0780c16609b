import { z } from 'zod';
import { CommandError } from '../../../base/errors/command-error.ts';
import { UsageError } from '../../../base/errors/usage-error.ts';
import { visibleText } from '../../../base/terminal/visible-text.ts';
import { withoutCommand } from '../../../base/terminal/without-command.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import type { ServerAddress } from './server-address.ts';

const refusal = z.object({
  error: z.string(),
  code: z.string().optional(),
  parameter: z.string().optional(),
});

/** The error for an answer that is no result. It says what to do, as far as the answer tells. */
export function refused(server: ServerAddress, status: number | undefined, body: string): CommandError {
  const read = refusal.safeParse(parsedJson(body));
  if (!read.success)
    return new CommandError(
      `${server.url} answers with status ${status}, and not as a gateway does. Check --server or SERVER_URL.`,
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
