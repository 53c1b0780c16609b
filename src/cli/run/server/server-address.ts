import { UsageError } from '../../../base/errors/usage-error.ts';

/** A gateway to call, and the key to call it with. */
export interface ServerAddress {
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly key: string | undefined;
}

/**
 * Reads the address of a gateway.
 *
 * @throws UsageError for a text that is none
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
