import { createClient, type RedisClientType } from '@keyv/redis';
import type { Clock } from '../system/clock.ts';

/** How long setting up a connection may take, in milliseconds. */
const connectMs = 500;

export type RedisClient = RedisClientType;

interface OpenClientParts {
  readonly clock: Clock;
  /** How long it may take to make a connection ready, in milliseconds. By default, as long as to set it up. */
  readonly readyMs?: number;
  /** Called when the connection has failed, now or later. */
  readonly onError?: (client: RedisClient, reason: string) => void;
  /** Makes the connection ready for use. */
  readonly prepare: (client: RedisClient) => Promise<void>;
}

/**
 * Opens a connection that is not repeated when it ends.
 *
 * @throws Error why it can't be opened in time
 */
export async function openClient(
  url: string,
  { clock, readyMs = connectMs, onError, prepare }: OpenClientParts,
): Promise<RedisClient> {
  const client: RedisClient = createClient(clientOptions(url));
  let reason: string | undefined;
  client.on('error', (error: Error) => {
    reason ??= error.message;
    onError?.(client, error.message);
  });
  // Before, the socket's own timeout applies, and there is nothing to destroy yet.
  let timer = { cancel: () => {} };
  client.once('connect', () => {
    timer = clock.after(readyMs, () => {
      reason ??= `it does not answer within ${readyMs} ms`;
      endClient(client);
    });
  });
  try {
    await client.connect();
    await prepare(client);
    if (client.isReady) return client;
  } catch (error) {
    reason ??= error instanceof Error ? error.message : String(error);
  } finally {
    timer.cancel();
  }
  endClient(client);
  throw new Error(reason ?? 'the connection ended');
}

/** Ends a connection, and the commands in flight on it. */
export function endClient(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}

/**
 * Options of a client that connects once: it neither queues commands while offline nor reconnects.
 *
 * @param url redis:, rediss:, or unix: with the path of a socket, optionally with `?db=`
 */
function clientOptions(url: string) {
  const common = { RESP: 2, disableOfflineQueue: true, disableClientInfo: true } as const;
  const socket = { connectTimeout: connectMs, reconnectStrategy: false } as const;
  if (!url.startsWith('unix:')) return { ...common, url, socket: { ...socket } };
  const { pathname, searchParams } = new URL(url);
  return {
    ...common,
    database: Number(searchParams.get('db') ?? 0),
    socket: { ...socket, path: decodeURIComponent(pathname), tls: false },
  };
}
