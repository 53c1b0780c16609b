import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { prove } from '../proof.ts';
import { type SeenRow, type WatcherOrder, watcherOrder } from './watcher-order.ts';

const atOnce = 25;
const now = () => performance.timeOrigin + performance.now();

/** One client that watches a tail. */
class Watcher {
  readonly seen: SeenRow[] = [];
  readonly begun: Promise<void>;
  readonly #socket: Socket;
  #rest = '';

  constructor({ port, key, prefix }: WatcherOrder, project: string) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.begun = promise;
    const ids = new RegExp(`"id":"(${prefix}[^"]*)"`, 'g');
    this.#socket = connect(port, '127.0.0.1').setEncoding('latin1');
    this.#socket.on('error', reject);
    this.#socket.on('close', () => reject(new Error('the gateway closed a stream')));
    this.#socket.on('data', (piece: string) => {
      const at = now();
      const text = this.#rest + piece;
      const end = text.lastIndexOf('\n\n') + 1;
      this.#rest = text.slice(end);
      const complete = text.slice(0, end);
      if (complete.includes('event: rows')) resolve();
      for (const [, id = ''] of complete.matchAll(ids)) this.seen.push([id, at]);
    });
    const path = `/api/endpoints/query/logs.all?project=${project}&tail=edge_logs&tail_rows=0`;
    const headers = `Host: bench\r\nX-API-KEY: ${key}\r\nAccept: text/event-stream\r\n`;
    this.#socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n`, 'latin1');
  }

  end(): void {
    this.#socket.removeAllListeners('close').destroy();
  }
}

const order = watcherOrder.parse(workerData);
prove(parentPort !== null, 'this runs in a worker');
const watchers: Watcher[] = [];
for (const project of order.projects) {
  const all = Array.from({ length: order.watchersPerProject }, (_, index) => index);
  while (all.length > 0) {
    // More at once would take memory for their beginnings, not for what lasts.
    const more = all.splice(0, atOnce).map(() => new Watcher(order, project));
    watchers.push(...more);
    await Promise.all(more.map(({ begun }) => begun));
  }
}
parentPort.postMessage('watching');
await once(parentPort, 'message');
parentPort.postMessage({ seen: watchers.map(({ seen }) => seen) });
for (const watcher of watchers) watcher.end();
parentPort.close();
