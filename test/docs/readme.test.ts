import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { edgeRow } from '../acceptance/support/edge-rows.ts';
import { Gateway, type Row } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';

const readme = await readFile('README.md', 'utf8');
const packageFile = JSON.parse(await readFile('package.json', 'utf8'));

/** The code blocks of one language, in order. */
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);

/** The documented call as `key`, `path` and parameters. */
function documentedCall() {
  const [url = ''] =
    /http:\/\/127\.0\.0\.1:4000[^']+/.exec(blocks('sh').find((b) => b.startsWith('curl')) ?? '') ?? [];
  return new URL(url);
}

describe('the README', () => {
  test('names commands that exist', () => {
    const scripts = [...readme.matchAll(/npm (?:run )?([a-z]+)/g)].map(([, name]) => name ?? '');
    expect(new Set(scripts)).toEqual(
      new Set(['ci', 'demo', 'test', 'start', 'dev', 'pack', 'install', 'gateway']),
    );
    for (const script of new Set(scripts)) {
      if (!['ci', 'pack', 'install'].includes(script)) expect(packageFile.scripts).toHaveProperty(script);
    }
  });

  test('names the platforms and the licence of the package', () => {
    expect(packageFile).toMatchObject({
      license: 'Apache-2.0',
      os: ['linux', 'darwin'],
      cpu: ['x64', 'arm64'],
    });
    expect(readme).toContain(`Node ${/\d+/.exec(packageFile.engines.node)?.[0]} or later`);
    for (const version of Object.values(packageFile.optionalDependencies)) expect(version).toMatch(/^24\./);
  });
});

describe('what the README shows', () => {
  let workspace: Workspace;
  let gateway: Gateway;

  beforeAll(async () => {
    workspace = await Workspace.withShippedSchema();
    await workspace.write('endpoints/auth.failures.sql', blocks('sql')[0] ?? '');
    const project = documentedCall().searchParams.get('project') ?? '';
    const now = Date.now();
    const requests = [1, 2, 3].map((minutes) =>
      edgeRow(new Date(now - minutes * 60_000), project, '/rest/v1'),
    );
    const failed = {
      ...edgeRow(new Date(now - 60_000), project),
      event_message: 'GET /failed',
      metadata: [{ response: [{ status_code: 500 }] }],
    };
    const signIn = (status: number, timestamp: string) => ({
      id: `${status}`,
      timestamp,
      project,
      metadata: [{ status, path: '/token', msg: 'a message' }],
    });
    const signIns = [
      signIn(200, '2025-01-01T00:00:01Z'),
      signIn(400, '2025-01-01T00:00:02Z'),
      signIn(500, '2025-01-01T00:00:03Z'),
    ];
    const files = {
      edge_logs: await workspace.writeRows('edge.ndjson', [...requests, failed]),
      auth_logs: await workspace.writeRows('auth.ndjson', signIns),
    };
    gateway = await Gateway.serve(workspace);
    for (const [source, file] of Object.entries(files)) {
      expect(await workspace.run(['import', source, file])).toMatchObject({ code: 0 });
    }
  });
  afterAll(async () => {
    await gateway?.stop();
    await workspace?.remove();
  });

  test('is an endpoint that passes the check', async () => {
    const { code, stdout } = await workspace.run(['check']);
    expect(stdout).toContain('auth.failures');
    expect(stdout).toContain('3 endpoints, 9 sources: no errors');
    expect(code).toBe(0);
  });

  test('is an endpoint that answers', async () => {
    const project = documentedCall().searchParams.get('project') ?? '';
    const statuses = async (since: string) =>
      (await gateway.rows('auth.failures', { project, since })).map(({ status }) => status);
    expect(await statuses('')).toEqual([500, 400]);
    expect(await statuses('2025-01-01T00:00:02Z')).toEqual([500]);
  });

  test('is a request that is answered in the form that is shown', async () => {
    const { pathname, search } = documentedCall();
    const reply = await gateway.call(`${pathname}${search}`);
    const shape = ({ result }: { result: Row[] }) =>
      result.map((row) => Object.entries(row).map(([name, value]) => `${name} ${typeof value}`));
    const shown = JSON.parse(blocks('json')[0] ?? '');
    const answered = JSON.parse(reply.body);
    expect(reply.status).toBe(200);
    expect(shape(answered).slice(0, 2)).toEqual(shape(shown));
    for (const { timestamp } of [...shown.result, ...answered.result]) {
      expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00$/);
    }
  });

  test('is an LQL query that finds failed requests', async () => {
    const project = documentedCall().searchParams.get('project') ?? '';
    const [, lql = ''] = /--data-urlencode 'lql=([^']+)'/.exec(blocks('sh').join('')) ?? [];
    const rows = await gateway.rows('logs.all', { project, lql });
    expect(rows.map(({ event_message }) => event_message)).toEqual(['GET /failed']);
  });
});
