import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../fuzz/random.ts';
import { Gateway } from './support/gateway.ts';
import { Workspace } from './support/workspace.ts';

/** What may be selected of a row: a field is null, or the fields of the record that it is. */
interface Fields {
  readonly [name: string]: Fields | null;
}

const fields: Fields = {
  id: null,
  timestamp: null,
  eventMessage: null,
  metadata: {
    __typename: null,
    loadBalancerRedirectIdentifier: null,
    request: {
      __typename: null,
      path: null,
      port: null,
      headers: { __typename: null, host: null, accept: null },
      cf: { city: null, botManagement: { score: null, detectionIds: null } },
    },
    response: { statusCode: null, headers: { contentLength: null } },
  },
};

const request = (n: number) => ({
  path: `/rest/${n}`,
  port: n,
  headers: n % 3 === 0 ? [] : [{ host: `h${n}`, accept: null }],
  cf: [{ city: 'Berlin', botmanagement: n % 2 === 0 ? [{ score: n, detectionids: [1, 2, n] }] : [] }],
});
const element = (...requests: object[]) => ({
  load_balancer_redirect_identifier: 'lb',
  request: requests,
  response: [{ status_code: 200, headers: [{ content_length: '7' }, { content_length: '8' }] }],
});
const flat = { ...element(request(2)), response: [{ status_code: 404 }] };
const all = [
  undefined,
  [],
  [{}],
  [flat],
  [element(), element(request(3))],
  [element(request(4), request(5))],
  [flat],
];
const rows = all.map((metadata, n) => ({
  id: `row ${n}`,
  timestamp: `2025-01-31T10:00:0${n}Z`,
  event_message: `message ${n}`,
  project: 'demo',
  ...(metadata && { metadata }),
}));

let workspace: Workspace;
let gateway: Gateway;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  await workspace.run(['import', 'edge_logs', await workspace.writeRows('edge.ndjson', rows)]);
  gateway = await Gateway.serve(workspace);
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

const written = (of: Fields): string =>
  Object.entries(of)
    .map(([name, inner]) => (inner === null ? name : `${name} { ${written(inner)} }`))
    .join(' ');

function someOf(of: Fields, random: Random): Fields {
  const names = Object.keys(of);
  const one = random.pick(names);
  const chosen = names.filter((name) => name === one || random.isLess(0.3));
  return Object.fromEntries(
    chosen.map((name) => {
      const inner = of[name] ?? null;
      return [name, inner && someOf(inner, random)];
    }),
  );
}

/** What a selection leaves of a value with all fields. */
function selected(value: unknown, of: Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => selected(item, of));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(of).map(([name, inner]) => {
      const part = (value as Record<string, unknown>)[name];
      return [name, inner === null ? part : selected(part, inner)];
    }),
  );
}

async function ask(query: string): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ query });
  const headers = { 'content-type': 'application/json' };
  const { data, errors } = JSON.parse(
    (await gateway.call('/graphql', { method: 'POST', body, headers })).body,
  );
  expect(errors).toBeUndefined();
  return data;
}

test('a selection gives of each row what a selection of everything gives of it', async () => {
  const whole = await ask(`{ logsAll(project: "demo") { ${written(fields)} }
    logsAllTables(project: "demo") { edgeLogs { ${written(fields)} } } }`);
  expect(JSON.stringify(whole)).toContain('"detectionIds":["1","2","4"]');
  expect(whole.logsAll).toHaveLength(rows.length);
  const random = new Random(17);
  for (let round = 0; round < 40; round++) {
    const [one, other] = [someOf(fields, random), someOf(fields, random)];
    const query = `{ a: logsAll(project: "demo") { ${written(one)} } b: logsAll(project: "demo") { ...F }
      logsAllTables(project: "demo") { edgeLogs { ...G } } }
      fragment F on LogsAllRow { ${written(other)} } fragment G on LogsAllEdgeLogsRow { ... { ${written(other)} } }`;
    const expected = {
      a: selected(whole.logsAll, one),
      b: selected(whole.logsAll, other),
      logsAllTables: selected(whole.logsAllTables, { edgeLogs: other }),
    };
    expect(await ask(query)).toEqual(expected);
  }
});
