import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway } from '../../../src/app/api/api.ts';
import type { GatewayOptions, Settings } from '../../../src/app/api/gateway.ts';
import { settingNames } from '../../../src/app/api/setting-name.ts';
import { settingDescriptions } from '../../../src/definitions/settings/config.ts';
import { Workspace } from '../../acceptance/support/workspace.ts';

const endpoint = `/*
id: 0d3b0a53-5f4b-4b43-9a3c-6c3a3d1a7b10
name: one
cacheSeconds: 0
*/
SELECT 1 AS n`;

const quiet = { info() {}, warn() {}, error() {} };
const open: Server[] = [];
let workspace: Workspace;

beforeAll(async () => {
  workspace = await Workspace.create();
  await workspace.write('endpoints/one.sql', endpoint);
});
afterAll(async () => {
  for (const server of open) server.close();
  await workspace.remove();
});

function options(folder: string) {
  return {
    endpointsDir: workspace.path('endpoints'),
    sourcesDir: workspace.path('sources'),
    dataDir: workspace.path(folder),
    log: quiet,
  };
}

/** The URL of a server of its own that has one page, and otherwise calls the handler. */
async function serve({ handler }: Pick<ReturnType<typeof createGateway>, 'handler'>): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/own') response.end('own');
    else handler(request, response);
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('a gateway within a server', () => {
  test('answers from the first request to the last, and then refuses', async () => {
    const gateway = createGateway(options('store'));
    const url = await serve(gateway);
    const call = () => fetch(`${url}/api/endpoints/query/one`, { headers: { 'x-api-key': gateway.key } });
    // Sent before the gateway is ready.
    const first = await call();
    expect(await first.json()).toEqual({ result: [{ n: 1 }] });
    expect((await fetch(`${url}/api/endpoints/query/one`)).status).toBe(401);
    expect(await (await fetch(`${url}/own`)).text()).toBe('own');

    const [last] = await Promise.all([call(), gateway.ready.then(() => gateway.close())]);
    expect([200, 503]).toContain(last.status);
    const refused = await call();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      code: 'BACKEND_UNAVAILABLE',
      error: 'The gateway is closed.',
    });
    expect(gateway.close(), 'ends when the first one does').toBe(gateway.close());
    await gateway.close();
  });

  test('that can’t start rejects, logs why, and refuses requests', async () => {
    const lines: string[] = [];
    const log = { ...quiet, error: (text: string) => void lines.push(text) };
    const gateway = createGateway({ ...options('other'), endpointsDir: workspace.path('nowhere'), log });
    await expect(gateway.ready).rejects.toThrow();
    expect(lines.join()).toContain(workspace.path('nowhere'));
    const url = await serve(gateway);
    expect((await fetch(`${url}/livez`)).status).toBe(503);
    await gateway.close();
  });

  test('has the key of its settings, or one of its own', async () => {
    const keyOf = async (settings: Settings) => {
      const gateway = createGateway({ ...options('keys'), settings });
      await gateway.close();
      return gateway.key;
    };
    expect(await keyOf({ API_KEY: 'own' })).toBe('own');
    expect(await keyOf({ API_KEY_FILE: await workspace.write('key', 'of-a-file\n') })).toBe('of-a-file');
    expect(await keyOf({ API_KEY: '' })).toMatch(/^gw_.{24}$/);
    expect(await keyOf({})).not.toBe(await keyOf({}));
  });

  test('refuses invalid settings by name, and doesn’t read the environment', () => {
    expect(() => createGateway({ settings: { PORT: 'x', ENGINE: 'oracle' } })).toThrow(
      /PORT: .*\n?.*ENGINE: /s,
    );
  });
});

test.each<[unknown, string]>([
  [5, 'options: expected an object with keys, got 5'],
  [null, 'options: expected an object with keys, got null'],
  [
    { dataDir: 5, log: null },
    'options.dataDir: expected a text, got 5\noptions.log: expected an object with the methods',
  ],
  [{ endpointDir: 'x' }, 'options: there is no "endpointDir". Did you mean "endpointsDir"?'],
  [{ settings: null }, 'options.settings: expected an object with keys, got null'],
  [{ settings: { PORTS: 1, PORT: [] } }, 'there is no "PORTS". Did you mean "PORT"?'],
  [
    { settings: { PORT: [] } },
    'options.settings.PORT: expected a text, or a number, or true or false, got an empty list',
  ],
])('%j are no options', (options, text) => {
  expect(() => createGateway(options as GatewayOptions)).toThrow(text);
});

test('the names of settings are those of the documentation', () => {
  expect(settingNames).toEqual(settingDescriptions.map(({ variable }) => variable));
});
