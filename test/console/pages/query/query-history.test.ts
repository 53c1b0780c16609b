import { describe, expect, test } from 'vitest';
import { type Run, searchRuns, withRun } from '../../../../src/console/pages/query/draft.ts';
import {
  storedHistory,
  storedWorkspace,
  storeHistory,
  storeWorkspace,
} from '../../../../src/console/pages/query/stored.ts';

const run = (text: string, more: Partial<Run> = {}): Run => ({
  question: { endpoint: 'logs.all', language: 'sql', text, values: new Map([['__proto__', 'p']]) },
  at: 1,
  milliseconds: 5,
  rows: 2,
  ...more,
});

/** A store of one tab. */
function store(initial: Readonly<Record<string, string>> = {}) {
  const items = new Map(Object.entries(initial));
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  };
}

describe('history', () => {
  test('the newest run comes first, and a question stands there once', () => {
    const history = ['a', 'b', 'a'].reduce<readonly Run[]>((all, text) => withRun(all, run(text)), []);
    expect(history.map(({ question }) => question.text)).toEqual(['a', 'b']);
  });

  test('it has at most 100 runs, and no more text than fits', () => {
    let history: readonly Run[] = [];
    for (let number = 0; number < 150; number += 1) history = withRun(history, run(`select ${number}`));
    expect(history).toHaveLength(100);
    for (let number = 0; number < 30; number += 1)
      history = withRun(history, run(`${number}${'x'.repeat(100_000)}`));
    expect(history.length).toBeLessThan(16);
    expect(history[0]?.question.text).toMatch(/^29x/);
  });

  test('a search finds the runs with each word', () => {
    const history = [run('select a\nfrom edge_logs'), run('select b from auth_logs')];
    expect(searchRuns(history, 'EDGE select')).toEqual([history[0]]);
    expect(searchRuns(history, 'logs.all')).toHaveLength(2);
    expect(searchRuns(history, 'edge b')).toEqual([]);
    expect(searchRuns(history, ' ')).toHaveLength(2);
  });
});

describe('storage of the tab', () => {
  test('keeps runs and drafts, with their values', () => {
    const kept = store();
    const runs = [run('a', { rows: undefined, failure: 'no' })];
    storeHistory(kept, runs);
    expect(storedHistory(kept)).toEqual([run('a', { failure: 'no', rows: undefined })]);
    const values = new Map<string, string | string[]>([['ids', ['1', '2']]]);
    const workspace = {
      drafts: [{ id: '1', endpoint: 'e', language: 'lql', sql: 'a', lql: 'b', values } as const],
      active: '1',
    };
    storeWorkspace(kept, workspace);
    expect(storedWorkspace(kept)).toEqual(workspace);
  });

  test('what can\u2019t be read or stored is as if it were not there', () => {
    for (const text of ['', '{', 'null', '{"drafts":1}', '[{"question":{}}]']) {
      const broken = store({ 'query-tabs': text, 'query-history': text });
      expect(storedWorkspace(broken), text).toEqual({ drafts: [], active: '' });
      expect(storedHistory(broken), text).toEqual([]);
    }
    const full = {
      getItem: () => {
        throw new Error('denied');
      },
      setItem: () => {
        throw new Error('full');
      },
    };
    storeHistory(full, [run('a')]);
    expect(storedHistory(full)).toEqual([]);
  });
});
