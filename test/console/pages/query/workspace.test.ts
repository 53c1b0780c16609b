import { describe, expect, test } from 'vitest';
import { type Endpoint, parseEndpoints } from '../../../../src/console/api/endpoints.ts';
import {
  exampleDraft,
  exampleQuery,
  isSameQuestion,
  questionOf,
  withEndpoint,
} from '../../../../src/console/pages/query/drafts/draft.ts';
import {
  activeDraft,
  addDraft,
  changeDraft,
  closeDraft,
  linkOf,
  openAddress,
  openQuestion,
  reopenDraft,
  type Workspace,
} from '../../../../src/console/pages/query/drafts/workspace.ts';
import { formatRoute, parseRoute } from '../../../../src/console/router/route.ts';

function parameter(name: string, more: object = {}) {
  const rest = { default: null, values: null, example: null, description: '' };
  return { name, type: 'STRING', required: true, ...rest, ...more };
}

function endpoint(name: string, tables: object[], parameters: object[] = []): Endpoint {
  const facts = {
    liveTables: [],
    version: 'v1',
    description: '',
    graphqlField: name,
    maxRows: 10,
    exportRows: 10,
    cacheSeconds: 0,
    pages: { refused: 'it has no order' },
  };
  const described = { id: `id-${name}`, name, ...facts, sandbox: true, parameters, columns: [], tables };
  const [first] = parseEndpoints({ endpoints: [described] }).endpoints;
  if (first === undefined) throw new Error('There is no endpoint.');
  return first;
}

const column = (name: string, type: string) => ({ name, type, description: '' });
const logs = endpoint(
  'logs.all',
  [{ name: 'edge_logs', columns: [column('timestamp', 'TIMESTAMP'), column('id', 'STRING')] }],
  [parameter('project', { example: 'p1' }), parameter('ids', { type: 'ARRAY<STRING>', required: false })],
);
const usage = endpoint(
  'usage',
  [{ name: 'order', columns: [column('timestamp', 'TIMESTAMP'), column('n', 'INT64')] }],
  [parameter('project', { example: 'p2' })],
);
const endpoints = [logs, usage];
const empty: Workspace = { drafts: [], active: '', closed: [] };

function open(fragment: string, before = empty): Workspace {
  const route = parseRoute(fragment);
  if (route.page !== 'query') throw new Error('This is no address of the page.');
  return openAddress(before, route, endpoints);
}
const question = (workspace: Workspace) => {
  const draft = activeDraft(workspace);
  return draft && questionOf(draft);
};

describe('example queries', () => {
  test('count rows by hour, or show the newest ones where they are counted already', () => {
    expect(exampleQuery(logs.tables, 'sql')).toMatch(
      /timestamp_trunc\(timestamp, hour\).*\nfrom edge_logs\n/,
    );
    expect(exampleQuery(logs.tables, 'lql')).toBe('f:edge_logs c:count(*) c:group_by(t::hour)');
    expect(exampleQuery(usage.tables, 'sql')).toBe(
      'select *\nfrom `order`\norder by timestamp desc\nlimit 100',
    );
    expect(exampleQuery([{ name: 't', columns: [] }], 'sql')).toBe('select *\nfrom t\nlimit 100');
    expect(exampleQuery([], 'sql')).toBe('');
  });
});

describe('addresses', () => {
  test('the bare one opens an example, with the values of the examples', () => {
    const workspace = open('#/query');
    expect(workspace.drafts).toHaveLength(1);
    expect(question(workspace)).toMatchObject({ endpoint: 'logs.all', language: 'sql' });
    expect(question(workspace)?.values).toEqual(new Map([['project', 'p1']]));
  });

  test('the bare one shows the tabs that were there', () => {
    const before = addDraft(open('#/query'), usage);
    expect(open('#/query', before)).toEqual(before);
  });

  test('one of an endpoint shows its tab, or opens one', () => {
    const both = open('#/query/usage', open('#/query'));
    expect(both.drafts.map((draft) => draft.endpoint)).toEqual(['logs.all', 'usage']);
    expect(question(open('#/query/logs.all', both))?.endpoint).toBe('logs.all');
    expect(open('#/query/logs.all', both).drafts).toHaveLength(2);
  });

  test('values without a query are those of an example', () => {
    const workspace = open('#/query/logs.all?project=mine');
    expect(question(workspace)?.values).toEqual(new Map([['project', 'mine']]));
    expect(question(workspace)?.text).toContain('edge_logs');
    expect(open('#/query/logs.all?project=mine', workspace)).toEqual(workspace);
  });

  test('a link opens its query in a tab of its own, once', () => {
    const before = open('#/query');
    const link = '#/query/logs.all?lql=f%3Aedge_logs+a&project=p&ids=1&ids=2';
    const after = open(link, before);
    expect(after.drafts).toHaveLength(2);
    expect(question(after)).toEqual({
      endpoint: 'logs.all',
      language: 'lql',
      text: 'f:edge_logs a',
      values: new Map<string, string | string[]>([
        ['project', 'p'],
        ['ids', ['1', '2']],
      ]),
    });
    expect(open(link, after)).toEqual(after);
  });

  test('there and back, a query is the same: any text, and long ones', () => {
    const texts = ['', 'select "a&b=c#d?e%20+ü😀\u0000\n"', `select '${'x'.repeat(100_000)}'`];
    for (const text of texts) {
      const given = {
        endpoint: 'logs.all',
        language: 'sql',
        text,
        values: new Map([['project', 'a b&c']]),
      } as const;
      const opened = question(open(formatRoute(linkOf(given, 'the-key'))));
      expect(opened !== undefined && isSameQuestion(opened, given)).toBe(true);
    }
  });

  test('the chart of a query is in its address, and is drawn where that is opened', () => {
    const chart = { type: 'area', x: 'hour', y: ['rows'], series: 'path' } as const;
    const given = {
      endpoint: 'logs.all',
      language: 'sql',
      text: 'select 1',
      values: new Map(),
      chart,
    } as const;
    const fragment = formatRoute(linkOf(given, 'the-key'));
    const before = open('#/query/logs.all?sql=select+1');
    expect(activeDraft(open(fragment))?.chart).toEqual(chart);
    expect(activeDraft(open(fragment, before))?.chart).toEqual(chart);
    expect(open(fragment, before).drafts).toHaveLength(1);
  });

  test('what is no parameter is ignored, whatever its name', () => {
    const opened = question(
      open('#/query/logs.all?sql=select+1&api_key=k&X-API-KEY=k&__proto__=x&constructor=y&project=p'),
    );
    expect(opened?.values).toEqual(new Map([['project', 'p']]));
  });

  test('hostile ones open something', () => {
    for (const fragment of [
      '#/query/%E0%A4%A',
      '#/query/nothing?sql=select+1',
      '#/query/__proto__?lql=',
      '#/query/?sql=%00%ff&sql=2',
      '#/query/nothing',
    ]) {
      expect(activeDraft(open(fragment)), fragment).toBeDefined();
    }
    expect(question(open('#/query/nothing?sql=select+1'))).toMatchObject({
      endpoint: 'nothing',
      text: 'select 1',
    });
  });

  test('a link never carries the key, wherever the user has put it', () => {
    const values = new Map([
      ['project', 'x the-key'],
      ['a', 'b'],
    ]);
    const link = formatRoute(
      linkOf({ endpoint: 'logs.all', language: 'sql', text: "select 'the-key'", values }, 'the-key'),
    );
    expect(link).toBe('#/query/logs.all?a=b');
  });
});

describe('tabs', () => {
  test('the tab beside a closed one is shown, and the last one is replaced by an example', () => {
    const three = addDraft(addDraft(open('#/query'), usage), logs);
    expect(three.drafts.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(closeDraft({ ...three, active: '2' }, '2', logs).active).toBe('3');
    expect(closeDraft(three, '3', logs).active).toBe('2');
    expect(closeDraft(three, '1', logs).active).toBe('3');
    const one = open('#/query/usage');
    const closed = closeDraft(one, '1', logs);
    // What was in the tab before is not shown for it.
    expect(closed.drafts).toEqual(open('#/query').drafts.map((draft) => ({ ...draft, id: '2' })));
    expect(closed.closed).toEqual(one.drafts);
  });

  test('tabs that were closed are opened again, the last one first, and so is one that gave way', () => {
    const two = addDraft(open('#/query'), usage);
    const [first, second] = two.drafts;
    const none = closeDraft(closeDraft(two, '1', logs), '2', logs);
    const again = reopenDraft(reopenDraft(none));
    expect(again.drafts.map(({ id, endpoint }) => [id, endpoint])).toEqual([
      ['3', 'logs.all'],
      ['2', second?.endpoint],
      ['1', first?.endpoint],
    ]);
    expect(again.closed).toEqual([]);
    expect(reopenDraft(again)).toBe(again);
  });

  test('only the changed draft changes', () => {
    const two = addDraft(open('#/query'), usage);
    const [first, second] = two.drafts;
    if (first === undefined) throw new Error('There is no draft.');
    const changed = changeDraft(two, { ...first, sql: 'select 1' });
    expect(changed.drafts).toEqual([{ ...first, sql: 'select 1' }, second]);
  });

  test('there are at most 20', () => {
    let workspace = open('#/query');
    for (let number = 0; number < 30; number += 1) {
      const values = new Map();
      const text = `select ${number}`;
      workspace = openQuestion(workspace, { endpoint: 'logs.all', language: 'sql', text, values }, endpoints);
    }
    expect(workspace.drafts).toHaveLength(20);
    expect(question(reopenDraft(workspace))?.text).toBe('select 9');
    expect(question(workspace)?.text).toBe('select 29');
  });
});

test('with another endpoint, examples follow, what the user has written and the values of the same names stay', () => {
  const draft = {
    ...exampleDraft('1', logs),
    lql: 'f:edge_logs mine',
    values: new Map([['project', 'mine']]),
  };
  const moved = withEndpoint(draft, logs, usage);
  expect(moved.sql).toBe(exampleQuery(usage.tables, 'sql'));
  expect(moved.lql).toBe('f:edge_logs mine');
  expect(moved.values).toEqual(new Map([['project', 'mine']]));
});
