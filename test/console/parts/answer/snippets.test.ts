import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { snippetsOf } from '../../../../src/console/parts/answer/snippets.ts';
import { portOf } from '../../../support/redis.ts';

const values = new Map<string, string | readonly string[]>([
  ['project', `it's "quoted" $HOME \`date\` \\ & = % ü \n !`],
  ['ids', ['a', 'b']],
]);
const query = { language: 'sql', text: "select 'x' -- $(id)" } as const;

/** A server that answers with the parameters and the key that it got. */
async function echo(): Promise<string> {
  const server = createServer(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    response.end(JSON.stringify({ result: [pathname, headers['x-api-key'], [...searchParams]] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${portOf(server)}`;
}

const expected = [
  '/api/endpoints/query/usage.api-counts',
  'the-key',
  [
    ['project', values.get('project')],
    ['ids', 'a'],
    ['ids', 'b'],
    ['sql', query.text],
  ],
];

const env = { ...process.env, API_KEY: 'the-key' };
const run = promisify(execFile);

test.each([
  ['curl', (text: string) => run('bash', ['-c', text], { env })],
  [
    'JavaScript',
    (text: string) =>
      run(
        process.execPath,
        ['--input-type=module', '-e', text.replace('body.result', 'JSON.stringify(body)')],
        { env },
      ),
  ],
])('the code in %s sends the values as they are, with the key of the environment', async (name, execute) => {
  const call = { endpoint: { name: 'usage.api-counts' }, values, query };
  const snippet = snippetsOf(call, await echo()).find((each) => each.name === name);
  const { stdout } = await execute(snippet?.text ?? '');
  expect(JSON.parse(stdout).result).toEqual(expected);
});

test('control characters are not in the code for a shell, which sends them', async () => {
  const text = `\u0003\u001b[201~\r\u007f\u009b it's \\ \t\n 7`;
  const call = { endpoint: { name: 'usage.api-counts' }, values: new Map([['project', text]]) };
  const snippet = snippetsOf(call, await echo()).find(({ name }) => name === 'curl')?.text ?? '';
  expect(snippet).not.toMatch(/[^\P{Cc}\t\n]/u);
  const { stdout } = await run('bash', ['-c', snippet], { env });
  expect(JSON.parse(stdout).result[2]).toEqual([['project', text]]);
});

const python = '/usr/bin/python3';

test.skipIf(!existsSync(python) && process.env.CI !== 'true')(
  'the code in Python has the values as texts that Python reads',
  async () => {
    const snippet =
      snippetsOf({ endpoint: { name: 'e' }, values, query }, 'http://gateway').at(-1)?.text ?? '';
    const [, list = ''] = /params=(\[.*?\n {4}\])/s.exec(snippet) ?? [];
    const { stdout } = await run(python, ['-c', `import json; print(json.dumps(${list}))`]);
    expect(JSON.parse(stdout)).toEqual(expected[2]);
  },
);
