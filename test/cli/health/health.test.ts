import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { expect, test } from 'vitest';
import { healthCommand } from '../../../src/cli/health/health.ts';
import { runGateway } from '../../server/listener/running-gateway.ts';
import { endlessBody } from '../../support/endless-body.ts';
import { CapturedOutput } from '../support/captured-output.ts';

const portOf = (url: string) => Number(new URL(url).port);

/** A server in the place of a gateway. */
async function serve(answer: RequestListener, host = '127.0.0.1') {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

test('a gateway that can answer is healthy', async () => {
  const output = new CapturedOutput();
  const port = portOf((await runGateway()).url);
  for (const host of ['127.0.0.1', '0.0.0.0']) expect(await healthCommand({ host, port }, output)).toBe(0);
  expect(output.stdout).toBe('{"status":"ok"}\n{"status":"ok"}\n');
  expect(output.stderr).toBe('');
});

test('a gateway that is not ready is alive, and not healthy', async () => {
  const output = new CapturedOutput();
  const config = { host: '127.0.0.1', port: portOf((await runGateway({ isReady: () => false })).url) };
  expect(await healthCommand(config, output, { live: true })).toBe(0);
  expect(await healthCommand(config, output)).toBe(1);
  expect(output.stderr).toContain('/readyz answered 503: ');
});

test('all IPv6 addresses include the one of the machine itself', async () => {
  await using server = await serve((_, response) => response.end(), '::');
  expect(await healthCommand({ host: '::', port: server.port }, new CapturedOutput())).toBe(0);
});

test('without an answer, the reason is told', async () => {
  const output = new CapturedOutput();
  const ended = await serve(() => {});
  await ended[Symbol.asyncDispose]();
  const { port } = ended;
  expect(await healthCommand({ host: '127.0.0.1', port }, output)).toBe(1);
  expect(output.stderr).toBe(
    `http://127.0.0.1:${port}/readyz did not answer: connect ECONNREFUSED 127.0.0.1:${port}\n`,
  );
  await using server = await serve(() => {});
  expect(await healthCommand({ host: '127.0.0.1', port: server.port }, output, { timeoutMs: 20 })).toBe(1);
  expect(output.stderr).toContain('due to timeout');
});

test('an answer of something else has no escape sequences and no commands of GitHub', async () => {
  const output = new CapturedOutput();
  const body = '::error::a\u001b[2J\u009b\n::error::b\n';
  await using good = await serve((_, response) => response.end(body));
  expect(await healthCommand({ host: '127.0.0.1', port: good.port }, output)).toBe(0);
  expect(output.stdout).toBe('· ::error::a\\u001b[2J\\u009b\\n::error::b\n');
  await using bad = await serve((_, response) => response.writeHead(503).end(body));
  expect(await healthCommand({ host: '127.0.0.1', port: bad.port }, output)).toBe(1);
  expect(output.stderr).toMatch(/^http:\S+ answered 503: ::error::a\\u001b\[2J.*\n$/);
});

test('an endless answer is not read to its end', async () => {
  const output = new CapturedOutput();
  await using server = await serve((_, response) => {
    pipeline(endlessBody(2 ** 16), response, () => {});
  });
  expect(await healthCommand({ host: '127.0.0.1', port: server.port }, output)).toBe(1);
  expect(output.stderr).toMatch(/answers with more than 1 MB, and is not a gateway/);
});

test('another server’s redirect is no health', async () => {
  await using server = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
  expect(await healthCommand({ host: '127.0.0.1', port: server.port }, new CapturedOutput())).toBe(1);
});

test('a free port is not known', async () => {
  const output = new CapturedOutput();
  expect(await healthCommand({ host: '127.0.0.1', port: 0 }, output)).toBe(1);
  expect(output.stderr).toContain('Set PORT');
});
