import pLimit from 'p-limit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Form, graphqlForms, mcpForms, restForms } from './support/every-form.ts';
import { endpointNames, secret, twoTenants, unboundTables } from './support/two-tenants.ts';

type Tenants = Awaited<ReturnType<typeof twoTenants>>;

let tenants: Tenants;
/** Every way to call an endpoint that there is. */
let forms: Form[];
/** Those by which the owner of all rows gets rows of the project `b`, although it asks for `a`. */
let open: Form[];

/** Routes that call endpoints. */
const callRoutes = [
  '/api/endpoints/query/{endpoint}',
  '/api/endpoints/query/name/{endpoint}',
  '/api/endpoints/query/{endpoint}/versions/{version}',
  '/endpoints/query/{endpoint}',
];
/** Routes without a key, whose answers are the same for everybody. */
const publicRoutes = new Set(['/', '/livez', '/health', '/readyz', '/ready']);

beforeAll(async () => {
  tenants = await twoTenants();
  const ask: Tenants['send'] extends (key: string, ...rest: infer Rest) => infer Answer
    ? (...rest: Rest) => Answer
    : never = (path, sent) => tenants.send('owner', path, sent);
  forms = [
    ...callRoutes.flatMap(restForms),
    ...(await graphqlForms('/graphql', ask)),
    ...(await mcpForms('/mcp', ask)),
  ];
  const limit = pLimit(20);
  const reveals = await Promise.all(
    // A few at a time: how long one waits doesn't depend on how many there are.
    forms.map(({ path, sent }) => limit(async () => (await ask(path, sent)).body.includes(secret))),
  );
  open = forms.filter((_form, index) => reveals[index]);
});
afterAll(() => tenants?.[Symbol.asyncDispose]());

describe('a key that is bound to a project', () => {
  const bounds = { 'by its projects': { projects: ['a'] }, 'by a pin': { pins: { project: 'a' } } };

  test.each(Object.entries(bounds))(
    '(%s) gets no row of another, whatever way it asks',
    async (_name, wish) => {
      const { key } = await tenants.keyWith(wish);
      // Each protocol has some: otherwise, nothing was tried.
      for (const path of ['/api/endpoints/query/', '/graphql', '/mcp']) {
        expect(open.filter((form) => form.path.startsWith(path)).length).toBeGreaterThan(5);
      }
      for (const filter of ['where', 'filter'])
        expect(open.some(({ name }) => name.includes(filter))).toBe(true);
      for (const form of forms) {
        const { status, body } = await tenants.send(key, form.path, form.sent);
        expect(body, form.name).not.toContain(secret);
        if (!open.includes(form)) continue;
        if (form.refusal === undefined || status >= 400) expect(status, form.name).toBe(403);
        else expect(body, form.name).toMatch(form.refusal);
      }
    },
  );

  test.each(Object.entries(bounds))('(%s) gets no estimate of them', async (_name, wish) => {
    const { key } = await tenants.keyWith(wish);
    for (const table of unboundTables) {
      const query = new URLSearchParams({ project: 'a', sql: `SELECT * FROM ${table}`, dry_run: 'true' });
      expect((await tenants.send(key, `/api/endpoints/query/k.logs?${query}`)).status).toBe(403);
      expect((await tenants.send('owner', `/api/endpoints/query/k.logs?${query}`)).status).toBe(200);
    }
  });

  test.each(Object.entries(bounds))('(%s) gets nothing from the routes of operators', async (_name, wish) => {
    const { key } = await tenants.keyWith(wish);
    for (const path of pathsOf(tenants.routes)) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, body } = await tenants.send(key, path, { method });
        expect(body, `${method} ${path}`).not.toContain(secret);
        if (/^\/api\/(keys|operations|store)|^\/metrics|\/(rows|export)$|\/logs/.test(path)) {
          expect([403, 404, 405], `${method} ${path}`).toContain(status);
        }
      }
    }
  });
});

test('a key that was revoked or has expired gets 401 by every way', async () => {
  const revoked = await tenants.keyWith({});
  expect((await tenants.send('owner', `/api/keys/${revoked.id}`, { method: 'DELETE' })).status).toBe(200);
  const expired = await tenants.keyWith({ expires: new Date(Date.now() + 1500).toISOString() });
  await expect.poll(async () => (await tenants.send(expired.key, '/api/caller')).status).toBe(401);
  for (const { key } of [revoked, expired]) {
    for (const form of forms) {
      const { status, body } = await tenants.send(key, form.path, form.sent);
      expect(status, form.name).toBe(401);
      expect(body, form.name).not.toContain(secret);
    }
    for (const path of pathsOf(tenants.routes)) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status } = await tenants.send(key, path, { method });
        expect([401, 404, 405], `${method} ${path}`).toContain(status);
      }
    }
  }
});

/** A path of each route that needs a key. */
function pathsOf(routes: readonly string[]): string[] {
  return routes
    .filter((route) => !publicRoutes.has(route) && !route.startsWith('/console/'))
    .flatMap((route) =>
      endpointNames.map((name) => route.replace('{endpoint}', name).replace(/\{\w+\}/, 'app')),
    );
}

test('every route that calls endpoints is tried', () => {
  const calling = tenants.routes.filter((route) => /query/.test(route) && !route.startsWith('/console/'));
  expect(calling.toSorted()).toEqual(callRoutes.toSorted());
  expect(tenants.routes).toEqual(expect.arrayContaining(['/graphql', '/mcp', '/metrics', '/api/store/hold']));
});
