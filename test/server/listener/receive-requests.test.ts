import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { memoryBudgets } from '../../../src/definitions/settings/memory-budgets.ts';
import { jsonAnswer, sendAnswer } from '../../../src/server/http/response/answer.ts';
import { RequestCounter } from '../../../src/server/limits/request-counter.ts';
import { OpenRequests, requestOpener } from '../../../src/server/listener/open-requests.ts';
import { requestReceiver, type Stop } from '../../../src/server/listener/receive-requests.ts';
import { RouteTable } from '../../../src/server/routing/route-table.ts';
import { idleShedder, unwatched } from '../../support/gateway-parts.ts';
import { fakeLog } from './running-gateway.ts';

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** A server that is about to stop listening, and a client that is connected to it. */
async function stopping(deaf: PromiseWithResolvers<void>) {
  const openRequests = new OpenRequests();
  const stop: Stop = { hasBegun: true, isTooLate: false, untilStoppedListening: deaf.promise };
  const statuses: number[] = [];
  let begun = 0;
  let arrived = 0;
  const receive = requestReceiver({
    route: async (context) => {
      begun++;
      sendAnswer(context, jsonAnswer(200, '{}'));
    },
    shortcut: () => false,
    log: fakeLog(),
    shedder: idleShedder(),
    limits: { counter: new RequestCounter(), trustedProxies: 0 },
    watching: {
      ...unwatched,
      table: new RouteTable([]),
      makeRequestId: () => 'id',
      logRequest: ({ status }) => void statuses.push(status),
    },
    open: requestOpener({ openRequests, memoryBudgets: memoryBudgets(), unreadBodyTimeoutMs: 1_000 }),
    openRequests,
    stop,
  });
  const http = createServer((...arriving) => {
    arrived++;
    receive(...arriving, false);
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void http.close());
  const client = connect((http.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  const received: string[] = [];
  client.on('data', (text: string) => received.push(...(text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [])));
  client.on('error', () => {});
  const send = async (count: number) => {
    const before = arrived;
    client.write(request.repeat(count));
    await expect.poll(() => arrived).toBe(before + count);
    await new Promise(setImmediate);
  };
  return { http, client, send, received, statuses, begun: () => begun };
}

test('while the server waits to stop listening, a request waits, too', async () => {
  const deaf = Promise.withResolvers<void>();
  const { client, send, received, begun } = await stopping(deaf);
  await send(1);
  expect(begun()).toBe(0);
  deaf.resolve();
  await once(client, 'close');
  expect(received).toEqual(['200']);
});

test('those that follow it on its connection are begun, so that they are counted, and answered in turn', async () => {
  const deaf = Promise.withResolvers<void>();
  const { client, send, received, begun } = await stopping(deaf);
  await send(1);
  await send(99);
  expect(begun()).toBe(99);
  expect(received).toEqual([]);
  deaf.resolve();
  await once(client, 'close');
  expect(received).toEqual(Array.from({ length: 100 }, () => '200'));
});

test('of a client that has left meanwhile, the request is not begun', async () => {
  const deaf = Promise.withResolvers<void>();
  const { http, client, send, statuses, begun } = await stopping(deaf);
  const arrival = once(http, 'request') as Promise<[IncomingMessage]>;
  await send(1);
  const socket: Socket = (await arrival)[0].socket;
  const left = new Promise((resolve) => socket.once('close', resolve));
  client.resetAndDestroy();
  await left;
  deaf.resolve();
  await expect.poll(() => statuses).toEqual([499]);
  expect(begun()).toBe(0);
});
