import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { inProcess } from './support/in-process.ts';

test.each<[readonly string[], string]>([
  [['chekc'], "error: unknown command 'chekc'\n(Did you mean check?)\nRun endpoint-gateway --help"],
  [
    ['check', '--agianst', 'x'],
    "error: unknown option '--agianst'\n(Did you mean --against?)\nRun endpoint-gateway check --help",
  ],
  [['keys', 'mak'], "error: unknown command 'mak'\nRun endpoint-gateway keys --help"],
  [['import', 'edge_logs'], "error: missing required argument 'files'\nRun endpoint-gateway import --help"],
  [
    ['keys', 'create'],
    "error: required option '--name <who>' not specified\nRun endpoint-gateway keys create --help",
  ],
  [
    ['run', 'x', '--format', 'xml'],
    "error: option '--format <format>' argument 'xml' is invalid. Allowed choices are table, json, csv, ndjson, parquet, arrow.",
  ],
  [
    ['run', 'x', '--sql', 'a', '--lql', 'b'],
    "error: option '--sql <query>' cannot be used with option '--lql <query>'",
  ],
  [
    ['run', 'x', '--server', 'http://a', '--now', '1d'],
    "error: option '--server <url>' cannot be used with option '--now <time>'",
  ],
  [
    ['run', 'x', '--format', 'csv', '--json'],
    "error: option '--json' cannot be used with option '--format <format>'",
  ],
  [
    ['run', 'x', '--key', 'abc', '--engine', 'duckdb'],
    "error: option '--key <key>' cannot be used with option '--engine <engine>'",
  ],
  [['run', 'x', '--key', 'abc'], '--key: no gateway is called. Name it with --server or SERVER_URL.'],
  [
    ['test', '--json', '--reporter', 'junit'],
    "error: option '--json' cannot be used with option '--reporter <reporter>'",
  ],
  ...['%', '0x10', '', ' 5', '1e1', '101', '-1', '.5%'].map((text): [string[], string] => [
    ['test', '--min-coverage', text],
    `error: option '--min-coverage <percent>' argument '${text}' is invalid. Expected a number from 0 to 100.`,
  ]),
  [
    ['dev', '--rows', '1000001'],
    "error: option '--rows <n>' argument '1000001' is invalid. Expected a whole number from 0 to 1000000.",
  ],
  [['run', 'x', '--param', 'a', '--server', 'http://a'], '--param a: expected name=value'],
  [['run', 'x', '--now', 'soon'], '--now soon: expected a time, such as'],
  [['run', 'x', '--server', 'localhost:4000'], '--server localhost:4000: expected an address, such as'],
  [['backup', 'x', '--rate', 'fast'], '--rate fast: expected a number of bytes per second'],
  [['rows', 'delete', 'x'], 'Say which rows: with --before, --where or both.'],
  [['export', 'edge_logs', '--output', 'x.tsv'], 'x.tsv: rows are exported as ndjson, csv, parquet, arrow.'],
  [['sources', 'show', 'edge_log'], 'Unknown source "edge_log". Did you mean "edge_logs"? Available: auth_'],
  [
    ['completion', 'csh'],
    "error: command-argument value 'csh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.",
  ],
  [['help', 'chek'], "error: unknown command 'chek'\n(Did you mean check?)"],
  [['completion', 'bash', 'more'], 'error: too many arguments'],
])('%j is wrong use, which is explained', async (args, says) => {
  const { code, stdout, stderr } = await inProcess(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr.startsWith(says), stderr).toBe(true);
});

test('invalid settings are wrong use, too', async () => {
  const outcome = await inProcess(['schema'], { PORT: 'x', ANALYZER_MEMRY_MB: '1' });
  expect(outcome).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'warning: Unknown setting ANALYZER_MEMRY_MB, ignored. Did you mean ANALYZER_MEMORY_MB?\n' +
      'PORT: expected a whole number from 0 to 65535\n',
  });
});

test.each(['--version', '-V'])('%s tells the versions of the program and its engines', async (option) => {
  const { code, stdout, stderr } = await inProcess([option]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.split('\n')).toEqual([
    `endpoint-gateway ${packageJson.version}`,
    `Node.js ${process.versions.node}`,
    expect.stringMatching(/^DuckDB \d+\.\d+\.\d+$/),
    expect.stringMatching(/^GoogleSQL analyzer \d+\.\d+\.\d+$/),
    '',
  ]);
});

test('without a command, the help is an error; asked for, it is a result', async () => {
  const none = await inProcess([]);
  expect(none).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Usage: endpoint-gateway </),
  });
  for (const args of [['--help'], ['help']])
    expect(await inProcess(args)).toEqual({ code: 0, stdout: none.stderr, stderr: '' });
  const check = await inProcess(['help', 'check']);
  expect(check).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: endpoint-gateway check /) });
  expect(await inProcess(['check', '--help'])).toEqual(check);
});
