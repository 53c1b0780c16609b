import { describe, expect, test } from 'vitest';
import { storedWorkspace, storeWorkspace } from '../../../../src/console/pages/query/drafts/stored.ts';
import {
  dropRuns,
  keepRun,
  keptRuns,
  placeOf,
} from '../../../../src/console/pages/query/history/kept-runs.ts';
import { type Run, searchRuns, withRun } from '../../../../src/console/pages/query/history/runs.ts';

const run = (text: string, more: Partial<Run> = {}): Run => ({
  question: { endpoint: 'logs.all', language: 'sql', text, values: new Map([['__proto__', 'p']]) },
  at: 1,
  milliseconds: 5,
  rows: 2,
  ...more,
});

/** A browser's storage. */
function store(initial: Readonly<Record<string, string>> = {}) {
  const items = new Map(Object.entries(initial));
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
    removeItem: (name: string) => void items.delete(name),
    key: (index: number) => [...items.keys()][index] ?? null,
    get length() {
      return items.size;
    },
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
    expect(history.length).toBeLessThan(6);
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
  test('keeps drafts, with their values, and those that were closed', () => {
    const kept = store();
    const values = new Map<string, string | string[]>([['ids', ['1', '2']]]);
    const draft = { id: '1', endpoint: 'e', language: 'lql', sql: 'a', lql: 'b', values } as const;
    const workspace = { drafts: [draft], active: '1', closed: [{ ...draft, id: '2' }] };
    storeWorkspace(kept, workspace);
    expect(storedWorkspace(kept)).toEqual(workspace);
  });

  test('what can\u2019t be read or stored is as if it were not there', () => {
    for (const text of ['', '{', 'null', '{"drafts":1}', '[{"question":{}}]']) {
      const broken = store({ 'query-tabs': text, history: text });
      expect(storedWorkspace(broken), text).toEqual({ drafts: [], active: '', closed: [] });
      expect(keptRuns({ store: broken, name: 'history' }), text).toEqual([]);
    }
    const denied = () => {
      throw new Error('denied');
    };
    const full = { getItem: denied, setItem: denied, removeItem: denied, key: denied, length: 0 };
    const place = { store: full, name: 'history' };
    keepRun(place, run('a'));
    expect(keptRuns(place)).toEqual([]);
  });
});

describe('storage of the device', () => {
  const place = (key: string, device = store()) => placeOf(key, { device, tab: store() });

  test('a history is that of its key, which is not in it', async () => {
    const device = store();
    const [mine, other] = [await place('my-key', device), await place('other-key', device)];
    keepRun(mine, run('a', { rows: undefined, failure: 'no' }));
    expect(keptRuns(await place('my-key', device))).toEqual([run('a', { failure: 'no', rows: undefined })]);
    expect(keptRuns(other)).toEqual([]);
    expect(JSON.stringify([...device.items])).not.toContain('my-key');
    expect(mine.isOnDevice).toBe(true);
    dropRuns(mine);
    expect(device.length).toBe(0);
  });

  test('those of five keys stay', async () => {
    const device = store();
    for (let at = 1; at <= 8; at += 1) keepRun(await place(`key ${at}`, device), run('a', { at }));
    const kept = await Promise.all(
      [3, 4, 8].map(async (at) => keptRuns(await place(`key ${at}`, device)).length),
    );
    expect(kept).toEqual([0, 1, 1]);
  });

  test('a page without digests keeps it in the tab', async () => {
    const stores = { device: store(), tab: store() };
    const own = await placeOf('my-key', stores, null);
    expect(own).toMatchObject({ isOnDevice: false, store: stores.tab });
  });
});
