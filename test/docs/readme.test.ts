import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { settingDescriptions } from '../../src/config.ts';
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
  test('has the settings as the program describes them, and no others', () => {
    const rows = settingDescriptions.map(
      ({ variable, defaultText, meaning }) => `| \`${variable}\` | ${defaultText} | ${meaning} |`,
    );
    const [, table] =
      /^\| Variable \| Default \| Meaning \|\n\|---\|---\|---\|\n((?:\|.*\|\n)+)/m.exec(readme) ?? [];
    expect(table?.trimEnd().split('\n')).toEqual(rows);
  });

  test('names commands that exist', () => {
    const scripts = [...readme.matchAll(/npm (?:run )?([a-z]+)/g)].map(([, name]) => name ?? '');
    expect(new Set(scripts)).toEqual(new Set(['ci', 'demo', 'dev', 'test', 'start', 'gateway']));
    for (const script of new Set(scripts)) {
      if (script !== 'ci') expect(packageFile.scripts).toHaveProperty(script);
    }
  });

  test('links to files that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);
    expect(links).toEqual(expect.arrayContaining(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'LICENSE']));
    for (const link of links) expect(existsSync(link), link).toBe(true);
  });

  test('names the platforms and the licence of the package', () => {
    expect(packageFile).toMatchObject({
      license: 'Apache-2.0',
      os: ['linux', 'darwin'],
      cpu: ['x64', 'arm64'],
    });
    expect(readme).toContain(`Node ${/\d+/.exec(packageFile.engines.node)?.[0]} or later`);
    expect(packageFile.dependencies.node).toMatch(/^24\./);
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
      edge_logs: await workspace.writeRows('edge.ndjson', requests),
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

  test('are queries of callers that are answered', async () => {
    const project = documentedCall().searchParams.get('project') ?? '';
    const own =
      blocks('sh')
        .join('')
        .match(/--data-urlencode '(sql|lql)=[^']+'/g) ?? [];
    expect(own).toHaveLength(2);
    const replies = own.map((option) => {
      const [, language = '', text = ''] = /'(\w+)=([^']+)'/s.exec(option) ?? [];
      return gateway.rows('logs.all', { project, [language]: text });
    });
    const [bySql, byLql] = await Promise.all(replies);
    expect(bySql).toEqual([{ path: '/rest/v1', requests: 3 }]);
    expect(byLql).toEqual([]);
  });

  test('is a row cap and a length of URLs that hold', async () => {
    expect(readme).toContain('URLs to 16,384 characters');
    const path = '/api/endpoints/query/logs.all?project=';
    expect((await gateway.call(path + 'a'.repeat(16_384 - path.length))).status).toBe(200);
    expect((await gateway.call(path + 'a'.repeat(16_385 - path.length))).status).toBe(414);

    expect(readme).toContain('At most 10,000 rows an answer');
    const other = await Workspace.withShippedSchema();
    try {
      const file = '/*\nid: 5e0f1a52-8c1d-4a55-b3f7-0c9c1f3c6d84\nname: a\nmaxRows: 10001\n*/\nSELECT 1';
      await other.write('endpoints/a.sql', file);
      expect(await other.run(['check'])).toMatchObject({ code: 1, stderr: expect.stringContaining('10000') });
    } finally {
      await other.remove();
    }
  });
});
