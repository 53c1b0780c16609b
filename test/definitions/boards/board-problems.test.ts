// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of boards have this form
import { expect, test } from 'vitest';
import { boardProblems, type QueryOutcome } from '../../../src/definitions/boards/board-problems.ts';
import { readBoard } from '../../../src/definitions/boards/read-board.ts';
import { logsAll } from '../../server/listener/running-gateway.ts';

const plan = {
  ...logsAll.plan,
  columns: [
    { name: 'time', type: { kind: 'TIMESTAMP' } as const },
    { name: 'calls', type: { kind: 'INT64' } as const },
    { name: 'area', type: { kind: 'STRING' } as const },
  ],
};
const endpoint = { ...logsAll, plan };
const closed = { ...endpoint, name: 'closed', sandbox: false, parameters: [], file: 'closed.sql' };

/** The errors of a board, without the name of its file. */
async function errorsIn(text: string, tryQuery?: (sql: string) => QueryOutcome): Promise<readonly string[]> {
  const read = readBoard('b', 'b.yaml', text);
  const others = await boardProblems(read, {
    endpoints: [endpoint, closed],
    ofSources: { ...closed, name: 'gateway.tables', sandbox: true },
    ...(tryQuery && { tryQuery: async (_endpoint, query) => tryQuery(query.text) }),
  });
  return [...read.problems, ...others].map(({ line, column, text }) => `${line}:${column} ${text}`);
}

const right = `title: Right
range: this-week
refresh: live
variables:
  project: {label: Project, default: 12345678901234567890, query: {sql: SELECT 1, column: calls}}
panels:
  - title: Calls
    endpoint: logs.all
    parameters:
      project: \${project}
      interval: hourly
      since: \${from}
    chart: {type: bars, x: time, y: [calls], series: area}
    place: {column: 7, row: 1, width: 6, height: 4}
  - title: All
    sql: SELECT 1 WHERE '' <> \${project}
`;

test('a board without errors has the values as they are written', async () => {
  expect(await errorsIn(right)).toEqual([]);
  const { board } = readBoard('b', 'b.yaml', right);
  expect(board?.variables.project?.default).toBe('12345678901234567890');
  expect(board?.panels[0]?.parameters).toEqual({
    project: '${project}',
    interval: 'hourly',
    since: '${from}',
  });
});

test.each([
  ['', ['1:1 "title" is missing']],
  ['title: A\nrefesh: 30s', ['2:1 Unknown key "refesh". Did you mean "refresh"?']],
  ['title: A\nrefresh: 1s', ['2:10 "refresh": expected live, or a time of 5s or more such as 30s or 5m']],
  ['title: A\nrange: soon', [expect.stringMatching(/^2:8 "range": expected a range such as 15m/)]],
  ['title: A\ntitle: B', ['2:1 YAML: Map keys must be unique']],
  [
    'title: A\nvariables: {from: {}}',
    [`2:13 Bad name "variables.from": from, to, step, days, range, refresh have meanings of their own`],
  ],
  [
    'title: A\npanels:\n  - title: B\n    endpoint: a\n    chart: {type: pie}',
    ['5:19 "panels[0].chart.type": expected one of bars, lines, area, number, table, got "pie"'],
  ],
])('what is wrong with the form is named with its place: %j', async (text, errors) => {
  expect(await errorsIn(text)).toEqual(errors);
});

const panel = (text: string) => `title: A\npanels:\n  - title: B\n${text.replace(/^/gm, '    ')}\n`;
const called = 'endpoint: logs.all\nparameters: {project: p}';

test.each([
  ['place: {column: 1, row: 1, width: 1, height: 1}', ['3:5 It calls nothing: expected "endpoint" or "sql"']],
  ['endpoint: logs.al', ['4:15 Unknown endpoint "logs.al". Did you mean "logs.all"?']],
  ['endpoint: logs.all', ['3:5 The endpoint logs.all requires the parameter "project"']],
  [
    'endpoint: closed\nsql: SELECT 1',
    ['5:5 The endpoint closed takes no queries: `sandbox: true` in closed.sql allows them'],
  ],
  [
    'endpoint: logs.all\nparameters: {project: p, intervall: daily, count: 1.5, interval: weekly}',
    [
      '5:30 The endpoint logs.all has no parameter "intervall". Did you mean "interval"?',
      '5:55 The parameter "count": expected a whole number from -9223372036854775808 to 9223372036854775807, got "1.5"',
      '5:70 The parameter "interval" must be one of hourly, daily, not "weekly"',
    ],
  ],
  [
    "endpoint: logs.all\nparameters: {project: '${projekt}'}",
    ['5:27 Unknown variable "${projekt}"; known: from, to, step, days'],
  ],
  [
    `${called}\nchart: {type: bars, x: tme, y: [area]}`,
    [
      '6:28 There is no column "tme". Did you mean "time"?',
      '6:37 The column "area" has no numbers: it is STRING',
    ],
  ],
  [`${called}\nchart: {type: number, x: time}`, ['6:27 A number has no "x"']],
  [`${called}\nchart: {type: lines}`, ['6:5 A chart of lines needs "x"']],
  [
    `${called}\nplace: {column: 10, row: 1, width: 6, height: 1}`,
    ['6:40 A board has 12 columns, so from column 10 on the width is at most 3'],
  ],
  ['lql: f:a t:>${from}', ['4:5 LQL has no variables. Use "sql", or parameters of the endpoint']],
])('what is wrong with a panel is named with its place: %j', async (text, errors) => {
  expect(await errorsIn(panel(text))).toEqual(errors);
});

test('queries are tried with literals in place of what is chosen', async () => {
  const text = panel('sql: SELECT ${from}, ${step}\nchart: {type: bars, x: nope}');
  const tried: string[] = [];
  const errors = await errorsIn(text, (sql) => {
    tried.push(sql);
    return { columns: plan.columns };
  });
  expect(tried).toEqual(['SELECT "2026-01-01T00:00:00.000Z", 1800']);
  expect(errors).toEqual(['5:28 There is no column "nope"; known: time, calls, area']);
  const mistaken = await errorsIn(text, () => ({ mistake: 'Syntax error' }));
  expect(mistaken).toEqual(['4:5 Syntax error']);
});
