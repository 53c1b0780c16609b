import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { quietMoments } from '../../src/server/quiet-moment.ts';

const clients = 5;
/** Connects as often, once it is told to, and says when that is done: the kernel accepts without the server's help. */
const connector = `
  const { workerData: { port, state } } = require('node:worker_threads');
  const { connect } = require('node:net');
  Atomics.wait(state, 0, 0);
  let left = ${clients};
  for (let i = 0; i < ${clients}; i++) {
    connect(port, '127.0.0.1').on('error', () => {}).on('connect', () => {
      if (--left > 0) return;
      Atomics.store(state, 1, 1);
      Atomics.notify(state, 1);
    });
  }
`;

let server: Server | undefined;
let worker: Worker | undefined;
const sockets: Socket[] = [];

afterEach(async () => {
  await worker?.terminate();
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.close();
});

/** A server, what occupies its process until clients have connected, and how many connections it has seen. */
async function listening() {
  const http = createServer();
  server = http;
  let seen = 0;
  http.on('connection', () => seen++);
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as AddressInfo;
  const state = new Int32Array(new SharedArrayBuffer(8));
  worker = new Worker(connector, { eval: true, workerData: { port, state } });
  await once(worker, 'online');
  const occupy = () => {
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    if (Atomics.wait(state, 1, 0, 2_000) === 'timed-out') throw new Error('the clients did not connect');
  };
  return { http, occupy, seen: () => seen, quietMoment: quietMoments(http) };
}

/** Acts when input is read that somebody has sent, as a request does: behind the look for connections of that turn. */
async function actOnInput(act: () => void): Promise<{ send(): void }> {
  const http = createServer();
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = http.address() as AddressInfo;
  const client = connect(port, '127.0.0.1');
  const [socket] = (await once(http, 'connection')) as [Socket];
  sockets.push(client, socket);
  http.close();
  socket.removeAllListeners('data').once('data', act);
  return { send: () => client.write('x') };
}

test('connections that came in the rest of a turn are seen', async () => {
  const { occupy, seen, quietMoment } = await listening();
  const seenAtEnd = new Promise<number>((resolve) => {
    const act = () => {
      occupy();
      void quietMoment().then(() => resolve(seen()));
    };
    void actOnInput(act).then(({ send }) => send());
  });
  expect(await seenAtEnd).toBe(clients);
});

test('a turn that did other work is no quiet moment', async () => {
  const { occupy, seen, quietMoment } = await listening();
  const { send } = await actOnInput(occupy);
  const seenAtEnd = new Promise<number>((resolve) => {
    setImmediate(() => {
      void quietMoment().then(() => resolve(seen()));
      setImmediate(send);
    });
  });
  expect(await seenAtEnd).toBe(clients);
});

test('a while goes by after a connection has come, and after one has ended', async () => {
  const { http, quietMoment } = await listening();
  const { port } = http.address() as AddressInfo;
  const waited = async () => {
    const began = performance.now();
    await quietMoment();
    return performance.now() - began;
  };
  const socket = connect(port, '127.0.0.1');
  const [served] = (await once(http, 'connection')) as [Socket];
  expect(await waited()).toBeGreaterThan(45);
  socket.destroy();
  await once(served, 'close');
  expect(await waited()).toBeGreaterThan(45);
});

test('where connections keep coming, whatever is done, a turn without one is quiet', async () => {
  const { http, quietMoment } = await listening();
  const { port } = http.address() as AddressInfo;
  const coming = setInterval(() => sockets.push(connect(port, '127.0.0.1')), 15);
  await once(http, 'connection');
  const began = performance.now();
  await quietMoment();
  clearInterval(coming);
  expect(performance.now() - began).toBeGreaterThan(240);
  expect(performance.now() - began).toBeLessThan(900);
});
