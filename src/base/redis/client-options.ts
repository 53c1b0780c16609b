/** How long setting up a connection may take, in milliseconds. */
export const connectMs = 500;

/**
 * Options of a client that connects once: it neither queues commands while offline nor reconnects.
 *
 * @param url redis:, rediss:, or unix: with the path of a socket, optionally with `?db=`
 */
export function clientOptions(url: string) {
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
