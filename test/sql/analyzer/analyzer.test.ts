import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
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

  it('answers after its process was killed, also the calls under way', async () => {
    const before = await analyzer.pid();
    const calls = Array.from({ length: 20 }, () =>
      analyzer.analyze('select id from logs.edge_logs', context),
    );
    process.kill(before as number, 'SIGKILL');
    expect(await Promise.all(calls)).toHaveLength(20);
    await expect(analyzer.analyze('select id from logs.edge_logs', context)).resolves.toBeDefined();
    expect(await analyzer.pid()).not.toBe(before);
  });

  it('reads a hundred levels of nesting', async () => {
    const nested = `${'('.repeat(100)}1${')'.repeat(100)}`;
    await expect(
      analyzer.analyze(`select ${'1+('.repeat(100)}1${')'.repeat(100)}, ${nested}`, context),
    ).resolves.toBeDefined();
  });
});

it('gives accounts their turn when calls have to wait', async () => {
  // There is memory for one call at a time.
  const analyzer = await Analyzer.start({ ...defaultAnalyzerSettings, memoryMb: 1_400 });
  try {
    const answered: string[] = [];
    const analyze = (key: string) =>
      analyzer.analyze('select 1', context, undefined, { key, subject: '' }).then(() => answered.push(key));
    await Promise.all([...Array.from({ length: 20 }, () => analyze('flooding')), analyze('light')]);
    expect(answered.indexOf('light')).toBe(1);
  } finally {
    await analyzer.close();
  }
});

describe('a call that is cancelled', () => {
  it('keeps its place until the process has finished it, and is not made when it had none yet', async () => {
    // There is memory for one call at a time.
    const analyzer = await Analyzer.start({ ...defaultAnalyzerSettings, memoryMb: 1_400 });
    try {
      const pid = (await analyzer.pid()) as number;
      await halt(pid);
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
      const calls = [
        analyzer.analyze('select 1', context, leaving.signal),
        analyzer.analyze('select 2', { ...context, catalog: counted }, leaving.signal),
      ].map((call) => call.catch((error: Error) => ended.push(error.message)));
      const next = analyzer.analyze('select 3', context);
      await sleep(10);
      leaving.abort(new Error('left'));
      await sleep(10);
      expect(ended).toEqual([]);
      process.kill(pid, 'SIGCONT');
      await expect(next).resolves.toBeDefined();
      await Promise.all(calls);
      expect(ended).toEqual(['left', 'left']);
      expect(asked).toBe(0);
    } finally {
      await analyzer.close();
    }
  });
});

describe('an analyzer that hangs', () => {
  it('is replaced at the deadline', async () => {
    const told: unknown[] = [];
    const settings = { ...defaultAnalyzerSettings, timeoutMs: 1000 };
    const analyzer = await Analyzer.start(settings, (...line) => told.push(line));
    try {
      await analyzer.analyze('select 1', context);
      const before = await analyzer.pid();
      await halt(before);
      const waiting = Array.from({ length: 20 }, (_, i) => analyzer.analyze(`select ${i}`, context));
      expect(await Promise.all(waiting)).toHaveLength(20);
      expect(await analyzer.pid()).not.toBe(before);
      const ended = 'The SQL analyzer stopped; restarting';
      const ready = ['The SQL analyzer is ready again'];
      expect(told).toEqual([[ended, { reason: 'no answer within 1000 ms' }], ready]);
      const next = (await analyzer.pid()) as number;
      process.kill(next, 'SIGKILL');
      await expect.poll(() => told[2]).toEqual([ended, { reason: 'signal SIGKILL' }]);
      await analyzer.close();
      expect(told.slice(3)).toEqual([]);
    } finally {
      await analyzer.close();
    }
  });

  it('is the fault of one query, and no other suffers by it', async () => {
    const analyzer = await Analyzer.start({ ...defaultAnalyzerSettings, timeoutMs: 1500 });
    try {
      await analyzer.analyze('select 1', context);
      const joins = Array.from({ length: 6000 }, (_, i) => `logs.edge_logs as t${i}`).join(', ');
      const hostile = () => analyzer.analyze(`select 1 from ${joins}`, context).catch((error) => error);
      const slow = hostile();
      await sleep(500);
      await halt(await analyzer.pid());
      const others = Array.from({ length: 20 }, (_, i) => analyzer.analyze(`select ${i}`, context));
      expect(await Promise.all(others)).toHaveLength(20);
      const blamed = await slow;
      expect(blamed).toBeInstanceOf(AnalyzerOverwhelmedError);
      // It isn't tried again for a while.
      expect(await hostile()).toBe(blamed);
    } finally {
      await analyzer.close();
    }
  });

  it('has ended after close', async () => {
    const analyzer = await Analyzer.start();
    const pid = await analyzer.pid();
    await analyzer.close();
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    await expect(analyzer.analyze('select 1', context)).rejects.toBeInstanceOf(AnalyzerUnavailableError);
  });
});

describe('an analyzer that is ended by a query', () => {
  /** Doubles the columns with each CTE, until there is no memory left. */
  const stars = Array.from({ length: 24 }, (_, i) => `a${i + 1} as (select *, * from a${i})`).join(', ');
  const tooLarge = `with a0 as (select * from logs.edge_logs), ${stars} select count(*) from a24`;
  const tiny = 'select id from logs.edge_logs';

  it('answers all others that were under way', async () => {
    const analyzer = await Analyzer.start();
    try {
      const large = analyzer.analyze(tooLarge, context).catch((reason) => reason);
      const others = async () => {
        for (let i = 0; i < 20; i++) await analyzer.analyze(tiny, context);
      };
      const killed = (async () => {
        process.kill((await analyzer.pid()) as number, 'SIGKILL');
        return Promise.all(Array.from({ length: 20 }, () => analyzer.analyze(tiny, context)));
      })();
      await Promise.all([others(), others(), killed]);
      expect(await large).toBeInstanceOf(Error);
      await expect(analyzer.analyze(tiny, context)).resolves.toBeDefined();
    } finally {
      await analyzer.close();
    }
  });
});
