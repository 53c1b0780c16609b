import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../src/sql/analyzer/catalog.ts';
import {
  AnalyzerError,
  AnalyzerOverwhelmedError,
  AnalyzerUnavailableError,
} from '../../../src/sql/analyzer/error.ts';
import { defaultAnalyzerSettings } from '../../../src/sql/analyzer/settings.ts';
import { resultColumns } from '../../../src/sql/resolved/result-columns.ts';
import { formatType } from '../../../src/sql/values/type.ts';

const catalog: Catalog = {
  tables: [
    {
      path: ['logs', 'edge_logs'],
      columns: [
        { name: 'id', type: { kind: 'STRING' } },
        { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
        {
          name: 'metadata',
          type: {
            kind: 'ARRAY',
            element: { kind: 'STRUCT', fields: [{ name: 'status', type: { kind: 'INT64' } }] },
          },
        },
      ],
    },
  ],
};
const context = { catalog, parameters: new Map() };

/** Stops a process for good; the signal takes effect a moment later. */
async function halt(pid: number | undefined): Promise<void> {
  process.kill(pid as number, 'SIGSTOP');
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) T /);
}

describe('the analyzer', () => {
  let analyzer: Analyzer;
  beforeAll(async () => {
    analyzer = await Analyzer.start();
  });
  afterAll(() => analyzer.close());

  it('types the columns of a query, naming none that has no name', async () => {
    const statement = await analyzer.analyze(
      'select id, m.status, 1 from logs.edge_logs, unnest(metadata) m',
      context,
    );
    expect(resultColumns(statement).map(({ name, type }) => `${name} ${formatType(type)}`)).toEqual([
      'id STRING',
      'status INT64',
      ' INT64',
    ]);
  });

  it('takes more queries at the same time than its process has threads for', async () => {
    const queries = Array.from({ length: 200 }, (_, i) => analyzer.analyze(`select ${i} as n`, context));
    const outcomes = await Promise.allSettled(queries);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it.each(['logs.edge_logs', '`logs.edge_logs`', '`logs`.`edge_logs`', 'LOGS.Edge_Logs'])(
    'knows a source as %s',
    async (name) => {
      await expect(analyzer.analyze(`select id from ${name}`, context)).resolves.toBeDefined();
    },
  );

  it.each([
    ['select nope from logs.edge_logs', 'Unrecognized name: nope', { line: 1, column: 8 }],
    ['select 1\nfrom logs.missing', 'Table not found: logs.missing', { line: 2, column: 6 }],
    ['select @p', "Query parameter 'p' not found", { line: 1, column: 8 }],
    [
      'select 1; select 2',
      'Syntax error: Expected end of input but got keyword SELECT',
      { line: 1, column: 11 },
    ],
    [
      'select session_user()',
      'Function not found: session_user. It is not supported: a query can read only its tables, and runs for no user of BigQuery',
      { line: 1, column: 8 },
    ],
  ])('reports the error in %s, and its position', async (sql, message, position) => {
    const error = await analyzer.analyze(sql, context).catch((reason) => reason);
    expect(error).toBeInstanceOf(AnalyzerError);
    expect(error).toMatchObject({ message, position });
  });

  it.each(['delete from logs.edge_logs where true', 'create table x as select 1', "call f('x')", ''])(
    'refuses %j, which is not a query',
    async (sql) => {
      await expect(analyzer.analyze(sql, context)).rejects.toBeInstanceOf(AnalyzerError);
    },
  );

  it('refuses a name of 70,000 characters at once', async () => {
    await expect(analyzer.analyze(`select\n  ${'x'.repeat(70_000)}`, context)).rejects.toMatchObject({
      message: expect.stringContaining('Name of 70000 characters'),
      position: { line: 2, column: 3 },
    });
  });

  it('survives an error that is too long to be sent, and so do calls beside it', async () => {
    const long = analyzer.analyze(`select '${'x'.repeat(70_000)}' + 1`, context).catch((reason) => reason);
    const others = Array.from({ length: 20 }, () =>
      analyzer.analyze('select id from logs.edge_logs', context),
    );
    expect(await long).toMatchObject({ message: expect.stringContaining('too long to be shown') });
    expect(await Promise.all(others)).toHaveLength(20);
  });

  it('answers after its processes were killed, also the calls under way', async () => {
    const before = analyzer.pids;
    const calls = Array.from({ length: 20 }, () =>
      analyzer.analyze('select id from logs.edge_logs', context),
    );
    for (const pid of before) process.kill(pid, 'SIGKILL');
    expect(await Promise.all(calls)).toHaveLength(20);
    await expect(analyzer.analyze('select id from logs.edge_logs', context)).resolves.toBeDefined();
    expect(before.filter((pid) => analyzer.pids.includes(pid))).toEqual([]);
  });

  it.each([
    ['subqueries', `select * from ${'(select * from '.repeat(5000)}logs.edge_logs${')'.repeat(5000)}`],
    ['scalar subqueries', `select ${'(select '.repeat(5000)}1${')'.repeat(5000)}`],
    ['calls', `select ${'upper('.repeat(8000)}id${')'.repeat(8000)} from logs.edge_logs`],
    ['signs', `select ${'- '.repeat(40_000)} 1`],
  ])('refuses thousands of nested %s by this reason', async (_what, sql) => {
    const message = 'The query is too large or too deeply nested';
    await expect(analyzer.parse(sql)).rejects.toThrow(message);
    await expect(analyzer.analyze(sql, context)).rejects.toThrow(/^The query /);
  });

  it('reads a hundred levels of nesting', async () => {
    const nested = `${'('.repeat(100)}1${')'.repeat(100)}`;
    await expect(
      analyzer.analyze(`select ${'1+('.repeat(100)}1${')'.repeat(100)}, ${nested}`, context),
    ).resolves.toBeDefined();
  });
});

it('gives accounts their turn when calls have to wait', async () => {
  const analyzer = await Analyzer.start();
  try {
    const answered: string[] = [];
    const analyze = (key: string) =>
      analyzer.analyze('select 1', context, undefined, { key, subject: '' }).then(() => answered.push(key));
    await Promise.all([...Array.from({ length: 20 }, () => analyze('flooding')), analyze('light')]);
    // Two calls run at the same time, and another one may have waited before.
    expect(answered.indexOf('light')).toBeLessThan(5);
  } finally {
    await analyzer.close();
  }
});

describe('a call that is cancelled', () => {
  it('is not made when it had no process yet', async () => {
    const analyzer = await Analyzer.start();
    try {
      const leaving = new AbortController();
      let asked = 0;
      const counted: Catalog = {
        tables: [],
        get functions() {
          asked++;
          return [];
        },
      };
      const ended: string[] = [];
      const cancelled = (catalog: Catalog) =>
        analyzer
          .analyze('select 1', { ...context, catalog }, leaving.signal)
          .catch((error: Error) => ended.push(error.message));
      // Two calls have a process. The third waits.
      const calls = [context.catalog, context.catalog, counted].map(cancelled);
      leaving.abort(new Error('left'));
      await Promise.all(calls);
      expect(ended).toEqual(['left', 'left', 'left']);
      expect(asked).toBe(0);
      await expect(analyzer.analyze('select 3', context)).resolves.toBeDefined();
    } finally {
      await analyzer.close();
    }
  });
});

/** Takes the analyzer minutes. */
const slow = `select 1 from ${Array.from({ length: 6000 }, (_, i) => `logs.edge_logs as t${i}`).join(', ')}`;
const byKey = (key: string) => [undefined, { key, subject: '' }] as const;

/** Texts that nobody has sent before, of two accounts. */
async function honestCalls(analyzer: Analyzer, count: number): Promise<void> {
  for (let i = 0; i < count; i++)
    await Promise.all(
      ['a', 'b'].map((key) => analyzer.analyze(`select ${i} as n${i}`, context, ...byKey(key))),
    );
}

describe('an analyzer whose processes are stopped', () => {
  it('answers all calls in others', async () => {
    const told: unknown[] = [];
    const analyzer = await Analyzer.start(defaultAnalyzerSettings, (...line) => told.push(line));
    try {
      await honestCalls(analyzer, 3);
      const before = analyzer.pids;
      await Promise.all(before.map(halt));
      const waiting = Array.from({ length: 20 }, (_, i) => analyzer.analyze(`select ${i}`, context));
      expect(await Promise.all(waiting)).toHaveLength(20);
      expect(before.filter((pid) => analyzer.pids.includes(pid))).toEqual([]);
      expect(told[0]).toEqual([
        'The SQL analyzer stopped; another process takes its place',
        { reason: 'no answer within 900 ms' },
      ]);
    } finally {
      await analyzer.close();
    }
  });

  it('have all ended after close', async () => {
    const analyzer = await Analyzer.start();
    await honestCalls(analyzer, 1);
    const { pids } = analyzer;
    await analyzer.close();
    expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    await expect(analyzer.analyze('select 1', context)).rejects.toBeInstanceOf(AnalyzerUnavailableError);
  });
});

describe('a text that harms its process', () => {
  it('is refused when it has taken too long', async () => {
    const analyzer = await Analyzer.start({ ...defaultAnalyzerSettings, timeoutMs: 500 });
    try {
      await expect(analyzer.analyze(slow, context)).rejects.toBeInstanceOf(AnalyzerOverwhelmedError);
    } finally {
      await analyzer.close();
    }
  });

  it('keeps no other waiting', async () => {
    const analyzer = await Analyzer.start({ ...defaultAnalyzerSettings, timeoutMs: 60_000 });
    try {
      let left = 4;
      for (let i = 0; i < 4; i++)
        void analyzer
          .analyze(`${slow} limit ${i}`, context)
          .catch(() => {})
          .then(() => left--);
      await honestCalls(analyzer, 20);
      expect(left).toBe(4);
    } finally {
      await analyzer.close();
    }
  });

  it('is refused for a while when it has ended its process, with all of its shape', async () => {
    const analyzer = await Analyzer.start();
    try {
      let deaths = 0;
      /** Kills the processes when a text is analyzed, as one does that crashes them. */
      const crashing: Catalog = {
        get tables() {
          deaths++;
          for (const pid of analyzer.pids) process.kill(pid, 'SIGSEGV');
          return [];
        },
      };
      const send = (literal: number, key: string) =>
        analyzer
          .analyze(`select ${literal}`, { ...context, catalog: crashing }, ...byKey(key))
          .catch((error: unknown) => error);
      const blamed = await send(0, 'hostile');
      expect(blamed).toBeInstanceOf(AnalyzerOverwhelmedError);
      const before = deaths;
      for (let i = 1; i < 5; i++) expect(await send(i, 'hostile')).toBe(blamed);
      expect(deaths).toBe(before);
      await expect(analyzer.analyze('select 1 as n', context, ...byKey('hostile'))).resolves.toBeDefined();
      // Nobody can make the queries of another key be refused.
      expect(await analyzer.analyze('select 1', context, ...byKey('other'))).toBeDefined();
      await send(1, 'other');
      expect(deaths).toBeGreaterThan(before);
    } finally {
      await analyzer.close();
    }
  });

  it('is refused when it takes all memory', async () => {
    /** Doubles the columns with each CTE, until there is no memory left. */
    const stars = Array.from({ length: 24 }, (_, i) => `a${i + 1} as (select *, * from a${i})`).join(', ');
    const tooLarge = `with a0 as (select * from logs.edge_logs), ${stars} select count(*) from a24`;
    const analyzer = await Analyzer.start();
    try {
      const large = analyzer.analyze(tooLarge, context).catch((reason: unknown) => reason);
      await honestCalls(analyzer, 20);
      expect(await large).toBeInstanceOf(AnalyzerOverwhelmedError);
    } finally {
      await analyzer.close();
    }
  });
});
