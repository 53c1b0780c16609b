import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { newKeyText } from '../../../src/calls/access/key/key-text.ts';
import { runTenants, type Sent, type TenantsGateway } from './support/tenants-gateway.ts';

const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const multipart = { 'Content-Type': 'multipart/form-data; boundary=x' };
const literal = (project: string) => JSON.stringify(project);

/** Every way to ask for a project, and the status it has when it is refused. */
const ways: Record<
  string,
  (gateway: TenantsGateway, project: string, key: string) => Promise<{ status: number; body: string }>
> = {
  'a query string': ({ query }, project, key) => query(`project=${encodeURIComponent(project)}`, { key }),
  'a query string with percent-encoding': ({ query }, project, key) => {
    const encoded = [...Buffer.from(project)]
      .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
      .join('');
    return query(`%70roject=${encoded}`, { key });
  },
  'the id': ({ send }, project, key) =>
    send(`/api/endpoints/query/6A7D6F0C-5a3e-4d4f-9d2b-0f6f3a1c8e21?project=${encodeURIComponent(project)}`, {
      key,
    }),
  'the legacy path': ({ send }, project, key) =>
    send(`/endpoints/query/counts?project=${encodeURIComponent(project)}`, { key }),
  'the path by name': ({ send }, project, key) =>
    send(`/api/endpoints/query/name/counts?project=${encodeURIComponent(project)}`, { key }),
  'a bearer token': ({ query }, project, key) =>
    query(`project=${encodeURIComponent(project)}`, { headers: { Authorization: `Bearer ${key}` } }),
  'a JSON body': ({ query }, project, key) =>
    query('', { method: 'POST', key, headers: json, body: JSON.stringify({ project }) }),
  'a JSON body over a query string': ({ query }, project, key) =>
    query('project=mine', { method: 'POST', key, headers: json, body: JSON.stringify({ project }) }),
  'a form': ({ query }, project, key) =>
    query('', { method: 'POST', key, headers: form, body: `project=${encodeURIComponent(project)}` }),
  'a POST without a body': ({ query }, project, key) =>
    query(`project=${encodeURIComponent(project)}`, { method: 'POST', key }),
  'a form of several parts': ({ query }, project, key) => {
    const body = `--x\r\nContent-Disposition: form-data; name="project"\r\n\r\n${project}\r\n--x--\r\n`;
    return query('', { method: 'POST', key, headers: multipart, body });
  },
  'a compressed JSON body': ({ query }, project, key) =>
    query('', {
      method: 'POST',
      key,
      headers: { ...json, 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ project })),
    }),
  'a JSON body with an escaped name': ({ query }, project, key) =>
    query('', {
      method: 'POST',
      key,
      headers: json,
      body: `{"pro\\u006aect":${literal(project)}}`,
    }),
  'a whole URL as the target': ({ send }, project, key) =>
    send(`http://other.example/api/endpoints/query/counts?project=${encodeURIComponent(project)}`, { key }),
  HEAD: ({ query }, project, key) => query(`project=${encodeURIComponent(project)}`, { method: 'HEAD', key }),
  'a key behind one of another scheme': ({ query }, project, key) =>
    query(`project=${encodeURIComponent(project)}`, { key, headers: { Authorization: 'Basic b3duZXI6' } }),
  'a query of its own': ({ query }, project, key) =>
    query(`sql=SELECT+1&project=${encodeURIComponent(project)}`, { key }),
  'a query of its own in LQL': ({ query }, project, key) =>
    query(`lql=a&project=${encodeURIComponent(project)}`, { key }),
  'a query of its own in a body of GET': ({ query }, project, key) =>
    query(`project=${encodeURIComponent(project)}`, {
      key,
      headers: json,
      body: '{"sql":"SELECT 1","project":"mine"}',
    }),
  'an estimate': ({ query }, project, key) =>
    query(`dry_run=true&project=${encodeURIComponent(project)}`, { key }),
  'an estimate of a query of its own': ({ query }, project, key) =>
    query(`dry_run=true&sql=SELECT+1&project=${encodeURIComponent(project)}`, { key }),
  'a GraphQL literal': ({ graphql }, project, key) =>
    graphql(`{ counts(ref: ${JSON.stringify(project)}) { owner } }`, key),
  'a GraphQL variable': ({ graphql }, project, key) =>
    graphql('query ($p: String) { counts(ref: $p) { owner } }', key, { p: project }),
  'a GraphQL default': ({ graphql }, project, key) =>
    graphql(`query ($p: String = ${JSON.stringify(project)}) { counts(ref: $p) { owner } }`, key),
  'a GraphQL alias': ({ graphql }, project, key) =>
    graphql(`{ first: endpoints { name } other: counts(ref: ${JSON.stringify(project)}) { owner } }`, key),
  'a GraphQL fragment': ({ graphql }, project, key) =>
    graphql(`{ ...f } fragment f on Query { counts(ref: ${JSON.stringify(project)}) { owner } }`, key),
  'a GraphQL directive': ({ graphql }, project, key) =>
    graphql(
      `query ($y: Boolean!) { ... @include(if: $y) { counts(ref: ${literal(project)}) { owner } } }`,
      key,
      {
        y: true,
      },
    ),
  'one of several GraphQL operations': ({ send }, project, key) => {
    const query = `query A { counts(ref: "mine") { owner } } query B { counts(ref: ${literal(project)}) { owner } }`;
    const body = JSON.stringify({ query, operationName: 'B' });
    return send('/graphql', { method: 'POST', key, headers: json, body });
  },
  'a GraphQL block string': ({ graphql }, project, key) =>
    graphql(`{ counts(ref: """${project}""") { owner } }`, key),
  'a GraphQL variable over a default': ({ graphql }, project, key) =>
    graphql('query ($p: String = "mine") { counts(ref: $p) { owner } }', key, { p: project }),
  'a GraphQL variable by GET': ({ send }, project, key) => {
    const query = encodeURIComponent('query ($p: String) { counts(ref: $p) { owner } }');
    const variables = encodeURIComponent(JSON.stringify({ p: project }));
    return send(`/graphql?query=${query}&variables=${variables}`, { key });
  },
  'a query of its own in LQL in GraphQL': ({ graphql }, project, key) =>
    graphql(`{ countsQuery(ref: ${literal(project)}, lql: "a") { rows } }`, key),
  'an estimate of a query of its own in GraphQL': ({ graphql }, project, key) =>
    graphql(`{ estimates { countsQuery(ref: ${literal(project)}, sql: "a") { bytesProcessed } } }`, key),
  'a table in GraphQL': ({ graphql }, project, key) =>
    graphql(`{ countsTables(ref: ${JSON.stringify(project)}) { rows { owner } } }`, key),
  'a query of its own in GraphQL': ({ graphql }, project, key) =>
    graphql(`{ countsQuery(ref: ${JSON.stringify(project)}, sql: "SELECT 1") { rows } }`, key),
  'an estimate in GraphQL': ({ graphql }, project, key) =>
    graphql(`{ estimates { counts(ref: ${JSON.stringify(project)}) { bytesProcessed } } }`, key),
  'GraphQL by GET': ({ send }, project, key) =>
    send(`/graphql?query=${encodeURIComponent(`{ counts(ref: ${JSON.stringify(project)}) { owner } }`)}`, {
      key,
    }),
  'a GraphQL batch': ({ send }, project, key) =>
    send('/graphql', {
      method: 'POST',
      key,
      headers: json,
      body: JSON.stringify([{ query: `{ counts(ref: ${JSON.stringify(project)}) { owner } }` }]),
    }),
};

/** @param shared a project that both may ask for */
async function expectApart(
  gateway: TenantsGateway,
  ask: (typeof ways)[string],
  keys: Readonly<Record<'mine' | 'theirs', string>>,
  shared?: string,
): Promise<void> {
  // More than once: what is kept by then is authorised as what isn't.
  for (let round = 0; round < 4; round++) {
    for (const who of ['mine', 'theirs'] as const) {
      for (const project of ['mine', 'theirs', ...(shared === undefined ? [] : [shared])]) {
        const reply = await ask(gateway, project, keys[who]);
        if (project === who || project === shared) {
          expect(reply.status, reply.body).toBe(200);
          expect(reply.body).not.toContain('FORBIDDEN');
        } else {
          expect(isRefused(reply), `${reply.status} ${reply.body}`).toBe(true);
          expect(reply.body).not.toContain(project);
        }
      }
    }
    expect(isRefused(await ask(gateway, 'theirs', 'owner'))).toBe(false);
    expect(isRefused(await ask(gateway, 'mine', 'owner'))).toBe(false);
  }
}

const isRefused = ({ status, body }: { status: number; body: string }) =>
  status === 403 || (status === 200 && body.includes('"code":"FORBIDDEN"') && !body.includes('rows of'));

describe.each(Object.entries(ways))('two tenants, asking by %s', (_, ask) => {
  test('see their own rows, and none of each other, cached or not', async () => {
    const gateway = await runTenants();
    const keys = {
      mine: await gateway.keyWith({ projects: ['mine', 'both'] }),
      theirs: await gateway.keyWith({ projects: ['theirs', 'both'] }),
    };
    await expectApart(gateway, ask, keys, 'both');
  });

  test('see no rows of each other with keys to which one value is pinned', async () => {
    const gateway = await runTenants();
    const pinned = (value: string) => gateway.keyWith({ pins: [{ parameter: 'project', value }] });
    await expectApart(gateway, ask, { mine: await pinned('mine'), theirs: await pinned('theirs') });
  });

  test('that send a key as a value are refused without quoting it', async () => {
    const gateway = await runTenants();
    const key = newKeyText();
    const { status, body } = await ask(gateway, key, 'owner');
    expect(status === 400 || body.includes('"code":"BAD_USER_INPUT"'), `${status} ${body}`).toBe(true);
    expect(body).not.toContain(key);
  });

  test('get nothing by patterns, other spellings or look-alikes', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ projects: ['mine'] });
    const texts = [
      '.*',
      'mine|theirs',
      '',
      'Mine',
      'min',
      'mine ',
      'mіne',
      'ｍine',
      'mine\u0000',
      'mine\u200b',
      '%',
      '__proto__',
    ];
    for (const text of texts) {
      const reply = await ask(gateway, text, key);
      expect(
        [400, 403].includes(reply.status) || isRefused(reply),
        `${text}: ${reply.status} ${reply.body}`,
      ).toBe(true);
      expect(reply.body).not.toContain('rows of');
    }
    expect(gateway.engine.runs).toHaveLength(0);
    expect(gateway.engine.estimates).toHaveLength(0);
  });
});

describe('a key restricted to projects', () => {
  test.each<[string, string, Sent]>([
    ['no project', '/api/endpoints/query/counts', {}],
    ['a list', '/api/endpoints/query/counts?project[]=mine', {}],
    [
      'a list in a body',
      '/api/endpoints/query/counts',
      { method: 'POST', headers: json, body: '{"project":["mine"]}' },
    ],
    ['null', '/api/endpoints/query/counts', { method: 'POST', headers: json, body: '{"project":null}' }],
    ['a number', '/api/endpoints/query/counts', { method: 'POST', headers: json, body: '{"project":1}' }],
    ['another letter case of the name', '/api/endpoints/query/counts?Project=mine', {}],
    ['an endpoint without projects', '/api/endpoints/query/everything?project=mine', {}],
    ['all metrics', '/metrics', {}],
    ['rows to add', '/api/sources/edge_logs/rows', { method: 'POST', body: '{}' }],
    ['all results to drop', '/api/endpoints/cache/counts', { method: 'DELETE' }],
    ['results of others to drop', '/api/endpoints/cache/counts?project=theirs', { method: 'DELETE' }],
  ])('is refused with %s', async (_, path, sent) => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ projects: ['mine'], scopes: ['query', 'write', 'admin'] });
    const reply = await gateway.send(path, { ...sent, key });
    expect([400, 403]).toContain(reply.status);
    expect(gateway.engine.runs).toHaveLength(0);
  });

  test.each([
    ['rows', true],
    ['all', false],
  ])('reads the table %s by itself only if its rows depend on them: %s', async (table, isAllowed) => {
    const gateway = await runTenants();
    for (const bounds of [{ projects: ['mine'] }, { pins: [{ parameter: 'size', value: '7' }] }]) {
      const key = await gateway.keyWith(bounds);
      const own = await gateway.query(`project=mine&sql=${table}`, { key });
      expect(own.status).toBe(isAllowed ? 200 : 403);
      const estimate = await gateway.query(`project=mine&sql=${table}&dry_run=true`, { key });
      expect(estimate.status).toBe(isAllowed ? 200 : 403);
      for (const query of [
        `{ countsTables(ref: "mine") { ${table} { owner } } }`,
        `{ countsQuery(ref: "mine", sql: "${table}") { rows } }`,
        `{ estimates { countsQuery(ref: "mine", sql: "${table}") { bytesProcessed } } }`,
      ]) {
        const reply = await gateway.graphql(query, key);
        // A table that it may not read is no field.
        const isNone = reply.body.includes('Cannot query field');
        expect(isRefused(reply) || isNone, query).toBe(!isAllowed);
        expect(isRefused(await gateway.graphql(query, 'owner'))).toBe(false);
      }
    }
  });

  test('may drop its own results with the scope for it', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ projects: ['mine'], scopes: ['query', 'admin'] });
    await gateway.query('project=mine', { key });
    await gateway.query('project=theirs', { key: 'owner' });
    const reply = await gateway.send('/api/endpoints/cache/counts?project=mine', { method: 'DELETE', key });
    expect(reply.body).toBe('{"dropped":1}');
  });

  test('gets no value in an error that may quote any row', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ projects: ['mine'] });
    gateway.engine.answer = () => {
      throw new GatewayError('QUERY_FAILED', 'Bad value: theirs', { withoutValues: 'A bad value.' });
    };
    const replies = (who: string) => [
      gateway.query('project=mine', { key: who }),
      gateway.query('project=mine&sql=rows', { key: who }),
      gateway.graphql('{ counts(ref: "mine") { owner } }', who),
      gateway.graphql('{ countsTables(ref: "mine") { rows { owner } } }', who),
      gateway.graphql('{ countsQuery(ref: "mine", sql: "rows") { rows } }', who),
    ];
    for (const { body } of await Promise.all(replies(key))) {
      expect(body).toContain('A bad value.');
      expect(body).not.toContain('theirs');
    }
    for (const { body } of await Promise.all(replies('owner'))) expect(body).toContain('Bad value: theirs');
  });

  test('gets no 304 for rows of others', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ projects: ['mine'] });
    const { headers } = await gateway.query('project=theirs', { key: 'owner' });
    for (const tag of [headers.etag ?? '', '*']) {
      const sent = { key, headers: { 'If-None-Match': tag } };
      expect((await gateway.query('project=theirs', sent)).status).toBe(403);
    }
  });

  test('has each field of an operation checked separately', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ projects: ['mine'] });
    const query = '{ a: counts(ref: "mine") { owner } b: counts(ref: "theirs") { owner } }';
    for (let round = 0; round < 4; round++) {
      const { data, errors } = JSON.parse((await gateway.graphql(query, key)).body);
      expect(data).toEqual({ a: [{ owner: 'rows of mine from 10.0.0.9' }], b: null });
      expect(errors.map(({ path }: { path: string[] }) => path).sort()).toEqual([['b']]);
    }
    expect(gateway.engine.runs).toHaveLength(1);
  });

  test('shares cached results and the response cache within its restrictions', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ projects: ['mine'] });
    await gateway.query('project=mine', { key: 'owner' });
    for (let round = 0; round < 3; round++) {
      const reply = await gateway.query('project=mine', { key });
      expect(reply.headers['cache-status']).toContain('hit');
    }
    expect(gateway.engine.runs).toHaveLength(1);
  });
});

describe('a key with a pinned value', () => {
  test('has it set in every request', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ pins: [{ parameter: 'size', value: '7' }] });
    for (let round = 0; round < 3; round++) {
      await gateway.query('project=a', { key: 'owner' });
      await gateway.query('project=a', { key });
      await gateway.query('project=a&size=7', { key });
    }
    const sizes = gateway.engine.runs.map(({ request }) => request.parameters.get('size'));
    expect(sizes).toEqual([null, 7n]);
    expect((await gateway.query('project=a&size=8', { key })).status).toBe(403);
    expect((await gateway.send('/api/endpoints/query/everything', { key })).status).toBe(403);
  });

  test('has it set in GraphQL as well', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ pins: [{ parameter: 'size', value: '7' }] });
    const query = '{ counts(ref: "a") { owner } }';
    for (let round = 0; round < 4; round++) {
      for (const each of ['owner', key]) expect((await gateway.graphql(query, each)).status).toBe(200);
    }
    const sizes = gateway.engine.runs.map(({ request }) => request.parameters.get('size'));
    expect(sizes).toEqual([null, 7n]);
    const other = await gateway.graphql('{ counts(ref: "a", size: "8") { owner } }', key);
    expect(isRefused(other)).toBe(true);
  });
});

describe('a key restricted to endpoints', () => {
  test('may call them by name and id, on both handlers, and no others', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ endpoints: ['everything'] });
    for (let round = 0; round < 4; round++) {
      expect((await gateway.send('/api/endpoints/query/everything', { key })).status).toBe(200);
      expect((await gateway.query('project=a', { key })).status).toBe(403);
      const reply = await gateway.graphql('{ everything { owner } }', key);
      expect(JSON.parse(reply.body)).toMatchObject({ data: { everything: [{}] } });
      for (const query of [
        '{ counts(ref: "a") { owner } }',
        '{ countsTables(ref: "a") { rows { owner } } }',
        '{ countsQuery(sql: "x") { rows } }',
      ]) {
        const { body } = await gateway.graphql(query, key);
        expect(body).toMatch(/Cannot query field \\"counts\w*\\" on type \\"Query\\"\."/);
      }
    }
  });

  test('gets the same error for other endpoints and missing ones', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ endpoints: ['everything'] });
    const [other, none] = [
      await gateway.query('', { key }),
      await gateway.send('/api/endpoints/query/nothing', { key }),
    ];
    expect([other.status, none.status]).toEqual([403, 403]);
    expect(none.body).toBe(other.body.replace('counts', 'nothing'));
  });
});

describe('a key that requires redaction', () => {
  test('gets redacted rows in every case, also from the cache', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ redact: true });
    const query = '{ counts(ref: "a", redactPii: false) { owner } }';
    for (let round = 0; round < 4; round++) {
      expect((await gateway.query('project=a', { key: 'owner' })).body).toContain('10.0.0.9');
      expect((await gateway.graphql(query, 'owner')).body).toContain('10.0.0.9');
      for (const value of ['false', 'true', '', 'no']) {
        const headers = { 'LF-ENDPOINT-REDACT-PII': value };
        expect((await gateway.query('project=a', { key, headers })).body).toContain('REDACTED');
      }
      for (const body of [await gateway.query('project=a', { key }), await gateway.graphql(query, key)].map(
        (r) => r.body,
      )) {
        expect(body).toContain('REDACTED');
        expect(body).not.toContain('10.0.0.9');
      }
    }
  });
});

test('the tag of an answer that is not redacted tells a key that is to be redacted nothing', async () => {
  const gateway = await runTenants();
  const key = await gateway.keyWith({ redact: true });
  const plain = await gateway.query('project=a', { key: 'owner' });
  const redacted = await gateway.query('project=a', { key });
  expect(redacted.headers.etag).not.toBe(plain.headers.etag);
  for (const method of ['GET', 'HEAD']) {
    for (const tag of [plain.headers.etag ?? '', `W/${plain.headers.etag}`]) {
      const reply = await gateway.query('project=a', { method, key, headers: { 'If-None-Match': tag } });
      expect(reply.status).toBe(200);
      expect(reply.headers.etag).toBe(redacted.headers.etag);
    }
  }
});

describe('an invalid key', () => {
  test.each(['unknown', 'mistyped', 'expired', 'revoked', 'none'])(
    'is answered 401 alike: %s',
    async (kind) => {
      const gateway = await runTenants();
      const good = await gateway.keyWith({});
      const texts: Record<string, string | undefined> = {
        unknown: 'egw_000000000000000000000000000000003o5nZS',
        mistyped: `${good.slice(0, -1)}${good.endsWith('x') ? 'y' : 'x'}`,
        expired: await gateway.keyWith({ name: 'expired', expires: Date.now() - 1 }),
        revoked: await gateway.keyWith({ name: 'revoked' }),
        none: undefined,
      };
      await gateway.store.put((keys) => {
        const key = keys.find(({ name }) => name === 'revoked');
        if (key === undefined) throw new Error('it is not there');
        return { ...key, revoked: Date.now() };
      });
      gateway.settle();
      const key = texts[kind];
      const rest = await gateway.query('project=a', { key });
      expect(rest).toMatchObject({ status: 401, body: '{"error":"Unauthorized","code":"UNAUTHENTICATED"}' });
      const graphql = await gateway.graphql('{ counts(ref: "a") { owner } }', key);
      expect(graphql.status).toBe(401);
      expect(graphql.body).toBe(
        '{"errors":[{"message":"Unauthorized","extensions":{"code":"UNAUTHENTICATED"}}]}',
      );
      const others = [
        await gateway.send('/metrics', { key }),
        await gateway.send('/api/endpoints/cache/counts', { method: 'DELETE', key }),
        await gateway.send('/api/sources/edge_logs/rows', { method: 'POST', key, body: '{}' }),
      ];
      for (const reply of [rest, graphql, ...others]) {
        expect(reply.status).toBe(401);
        expect(reply.headers['www-authenticate']).toBe('Bearer');
      }
      expect(gateway.log.lines.join()).not.toContain(key ?? 'egw_');
    },
  );

  test('is refused at once, also for cached responses', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ name: 'soon', projects: ['a'] });
    const plain = await gateway.keyWith({ name: 'soon too', expires: Date.now() + 60_000 });
    const query = '{ counts(ref: "a") { owner } }';
    for (let round = 0; round < 4; round++) {
      for (const each of [key, plain]) {
        expect((await gateway.query('project=a', { key: each })).status).toBe(200);
        expect((await gateway.graphql(query, each)).status).toBe(200);
      }
    }
    await gateway.revokeFirst();
    expect((await gateway.query('project=a', { key })).status).toBe(401);
    expect((await gateway.graphql(query, key)).status).toBe(401);
    gateway.pass(60_000);
    expect((await gateway.query('project=a', { key: plain })).status).toBe(401);
    expect((await gateway.graphql(query, plain)).status).toBe(401);
  });
});

test.each(['revoked', 'expired'])(
  'a key that is %s while rows are being sent adds none of them',
  async (how) => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ scopes: ['write'], expires: Date.now() + 60_000 });
    const status = await new Promise((resolve, reject) => {
      const sent = request({
        port: gateway.port,
        method: 'POST',
        path: '/api/sources/edge_logs/rows',
        // It is given leave to go on when its key was found to be good.
        headers: { 'X-API-KEY': key, Expect: '100-continue' },
      });
      sent.once('continue', async () => {
        sent.write('{}\n');
        if (how === 'expired') gateway.pass(60_000);
        else await gateway.revokeFirst();
        sent.end('{}\n');
      });
      sent.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject);
      sent.flushHeaders();
    });
    expect(status).toBe(401);
    expect(gateway.uploads()).toBe(0);
  },
);

describe('a scope that a key lacks', () => {
  test.each([
    [['query'], [200, 200, 403, 403]],
    [['write'], [403, 403, 200, 403]],
    [['admin'], [403, 403, 403, 200]],
    [
      ['query', 'write', 'admin'],
      [200, 200, 200, 200],
    ],
  ] as const)('is answered 403: it has %j', async (scopes, statuses) => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({ scopes: [...scopes] });
    const replies = [
      await gateway.query('project=a', { key }),
      await gateway.graphql('{ counts(ref: "a") { owner } }', key),
      await gateway.send('/api/sources/edge_logs/rows', { method: 'POST', key, body: '{}' }),
      await gateway.send('/api/endpoints/cache/counts', { method: 'DELETE', key }),
    ];
    expect(replies.map(({ status }) => status)).toEqual(statuses);
  });
});

test('the response cache never contains a key, wherever it was sent', async () => {
  const gateway = await runTenants();
  const ask = async (extra: string) => {
    expect((await gateway.query(`project=a${extra && `&${extra}=1`}`, { key: 'owner' })).status).toBe(200);
    const { body } = await gateway.graphql(`{ counts(ref: "a") { owner } } # ${extra}`, 'owner');
    expect(body).toContain('"data":{"counts":[');
  };
  await ask('');
  const before = gateway.budget.bytes;
  for (let round = 0; round < 4; round++) await ask(newKeyText());
  expect(gateway.budget.bytes).toBe(before);
  await ask('another');
  expect(gateway.budget.bytes).toBeGreaterThan(before);
});

describe('a key in the query string', () => {
  test('is none unless that is allowed', async () => {
    const gateway = await runTenants();
    const key = await gateway.keyWith({});
    expect((await gateway.query(`project=a&api_key=${key}`)).status).toBe(401);
    const url = `/graphql?api_key=${key}&query=${encodeURIComponent('{ counts(ref: "a") { owner } }')}`;
    expect((await gateway.send(url)).status).toBe(401);
  });

  test('is accepted where allowed, after the headers, and stored nowhere', async () => {
    const gateway = await runTenants({ allowKeyInQuery: true });
    const key = await gateway.keyWith({});
    const url = `/graphql?api_key=${key}&query=${encodeURIComponent('{ counts(ref: "a") { owner } }')}`;
    for (let round = 0; round < 4; round++) {
      for (const name of ['api_key', 'api%5Fkey', '%61pi_key']) {
        expect((await gateway.query(`project=a&${name}=${key}`)).status).toBe(200);
        expect((await gateway.query(`project=a&${name}=${key}`, { key: 'owner' })).status).toBe(200);
        expect((await gateway.query(`project=a&${name}=${key}`, { key: 'wrong' })).status).toBe(401);
      }
      expect((await gateway.send(url)).status).toBe(200);
      expect((await gateway.send(url, { key: 'owner' })).status).toBe(200);
    }
    expect((await gateway.query(`project=a&api_key=${key}&api_key=wrong`)).status).toBe(401);
    // Targets and operations that are kept would take memory for it.
    const before = gateway.budget.bytes;
    for (let round = 0; round < 20; round++) await gateway.query(`project=a&api_key=${key}&round=${round}`);
    expect(gateway.budget.bytes).toBe(before);
  });
});
