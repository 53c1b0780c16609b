import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gateway } from './support/gateway.ts';
import { Workspace } from './support/workspace.ts';

const text = 'a@example.com from [2001:db8::1]:443 and 10.1.2.3';
const rows = `SELECT '${text}' AS text, JSON '{"10.1.2.3": "::1"}' AS j, '{"10.1.2.3":"::1"}' AS message`;
const endpoints: Record<string, { settings?: string; sql: string }> = {
  plain: { settings: 'cacheSeconds: 60', sql: rows },
  owned: { settings: 'redact: [email]\ncacheSeconds: 60', sql: rows },
  everything: { settings: 'redact: [ip, email, token, card]', sql: rows },
  tables: { settings: 'sandbox: true', sql: `WITH t AS (${rows}) SELECT text FROM t` },
  fails: { sql: `SELECT CAST(CONCAT(id, '10.1.2.3') AS INT64) AS n FROM logs.tiny` },
};

const idOf = (name: string) =>
  `abcdef00-0000-4000-8000-${String(Object.keys(endpoints).indexOf(name)).padStart(12, '0')}`;

let workspace: Workspace;
let gateway: Gateway;

beforeAll(async () => {
  workspace = await Workspace.create();
  const columns = [
    { name: 'id', type: 'STRING', mode: 'REQUIRED' },
    { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
  ];
  await workspace.write('sources/tiny.json', JSON.stringify(columns));
  for (const [name, { settings = '', sql }] of Object.entries(endpoints)) {
    await workspace.write(
      `endpoints/${name}.sql`,
      `/*\nid: ${idOf(name)}\nname: ${name}\n${settings}\n*/\n${sql}\n`,
    );
  }
  const file = await workspace.writeRows('tiny.ndjson', [{ id: 'from ', timestamp: '2025-01-01T00:00:00Z' }]);
  expect(await workspace.run(['import', 'tiny', file])).toMatchObject({ code: 0 });
  gateway = await Gateway.serve(workspace);
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

const asking = { headers: { 'LF-ENDPOINT-REDACT-PII': 'true' } };
const denying = { headers: { 'LF-ENDPOINT-REDACT-PII': 'false' } };

const withoutIp = 'a@example.com from [REDACTED]:443 and REDACTED';
const withoutEmail = 'REDACTED from [2001:db8::1]:443 and 10.1.2.3';
const withoutBoth = 'REDACTED from [REDACTED]:443 and REDACTED';

async function rest(name: string, options = {}, parameters = {}) {
  const { body } = await gateway.query(name, parameters, options);
  return JSON.parse(body).result[0];
}

async function graphql(query: string, headers: Readonly<Record<string, string>> = {}) {
  const reply = await gateway.call('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return JSON.parse(reply.body);
}

describe('rows', () => {
  test('are redacted in texts, in JSON and in texts that hold JSON; keys stay', async () => {
    const json = '{"10.1.2.3":"REDACTED"}';
    expect(await rest('plain', asking)).toEqual({ text: withoutIp, j: json, message: json });
    expect((await graphql('{ plain(redactPii: true) { text j message } }')).data.plain).toEqual([
      { text: withoutIp, j: { '10.1.2.3': 'REDACTED' }, message: json },
    ]);
  });

  test('are so by what the owner hides and what the caller asks for together, also from the cache', async () => {
    for (let round = 0; round < 3; round++) {
      expect((await rest('plain')).text).toBe(text);
      expect((await rest('plain', asking)).text).toBe(withoutIp);
      expect((await rest('owned')).text).toBe(withoutEmail);
      expect((await rest('owned', denying)).text).toBe(withoutEmail);
      expect((await rest('owned', asking)).text).toBe(withoutBoth);
      expect((await rest('everything', denying)).text).toBe(withoutBoth);
    }
  });

  test('are so by an argument of a field, by itself, or by the header for the whole request', async () => {
    const query =
      '{ shown: plain(redactPii: false) { text } hidden: plain(redactPii: true) { text } owned { text } }';
    for (let round = 0; round < 3; round++) {
      expect((await graphql(query)).data).toEqual({
        shown: [{ text }],
        hidden: [{ text: withoutIp }],
        owned: [{ text: withoutEmail }],
      });
      expect((await graphql(query, asking.headers)).data).toEqual({
        shown: [{ text: withoutIp }],
        hidden: [{ text: withoutIp }],
        owned: [{ text: withoutBoth }],
      });
    }
  });

  test("are so of tables and of callers' own queries, too", async () => {
    const sql = 'SELECT text FROM t';
    expect(await rest('tables', asking, { sql })).toEqual({ text: withoutIp });
    const fields = `tablesTables(redactPii: true) { t { text } } tablesQuery(redactPii: true, sql: "${sql}") { rows }`;
    expect((await graphql(`{ ${fields} }`)).data).toEqual({
      tablesTables: { t: [{ text: withoutIp }] },
      tablesQuery: { rows: [{ text: withoutIp }] },
    });
  });
});

test('errors that quote a value are redacted as rows are', async () => {
  expect((await gateway.query('fails')).body).toContain('from 10.1.2.3');
  const { body, status } = await gateway.query('fails', {}, asking);
  expect(status).toBe(422);
  expect(body).toContain('from REDACTED');
  const { errors } = await graphql('{ fails(redactPii: true) { n } }');
  expect(errors[0].message).toContain('from REDACTED');
});

test('what is hidden from everybody is told', async () => {
  const query =
    '{ a: endpoint(name: "everything") { redactPii redact } b: endpoint(name: "owned") { redactPii redact } }';
  expect((await graphql(query)).data).toEqual({
    a: { redactPii: true, redact: ['ip', 'email', 'token', 'card'] },
    b: { redactPii: false, redact: ['email'] },
  });
});
