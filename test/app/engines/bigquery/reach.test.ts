import { expect, test } from 'vitest';
import { startReaching } from '../../../../src/app/engines/bigquery/reach.ts';
import type { LogFields } from '../../../../src/base/terminal/log.ts';
import type { ApiCall } from '../../../../src/engines/bigquery/api/big-query-api.ts';
import { ManualClock } from '../../../calls/executor/support/manual-clock.ts';

/** An API that fails so many times, and what was asked and logged. */
function world(failures: number) {
  const clock = new ManualClock();
  const calls: ApiCall<unknown>[] = [];
  const lines: [string, LogFields | undefined][] = [];
  const api = {
    async call<T>(call: ApiCall<T>): Promise<T> {
      calls.push(call);
      if (calls.length <= failures) throw new Error(`failure ${calls.length}`);
      return call.answer.parse({ kind: 'bigquery#job' });
    },
  };
  /** What the log says whose notices nobody reads. */
  const warnings: string[] = [];
  const line = (message: string, fields?: LogFields) => void lines.push([message, fields]);
  const reach = startReaching({
    api,
    project: 'example.com:p',
    location: 'EU',
    clock,
    log: {
      info: line,
      warn: (message, fields) => {
        warnings.push(message);
        line(message, fields);
      },
    },
  });
  return { clock, calls, lines, warnings, reach };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('BigQuery is reached when a dry run is answered, which is asked once', async () => {
  const { clock, calls, lines, reach } = world(0);
  expect(reach.isReached).toBe(false);
  await settled();
  expect(reach.isReached).toBe(true);
  expect(calls).toMatchObject([
    {
      method: 'POST',
      path: '/projects/example.com%3Ap/jobs',
      body: {
        jobReference: { projectId: 'example.com:p', location: 'EU' },
        configuration: { dryRun: true, query: { query: 'SELECT 1', useLegacySql: false } },
      },
    },
  ]);
  await clock.advance(600_000);
  expect(calls).toHaveLength(1);
  expect(lines).toEqual([['BigQuery was reached', { project: 'example.com:p' }]]);
});

test('attempts repeat at growing intervals; the first failure and the success are logged once', async () => {
  const { clock, calls, lines, warnings, reach } = world(3);
  await settled();
  expect(lines).toEqual([
    ['BigQuery has not been reached yet', { project: 'example.com:p', reason: 'failure 1' }],
  ]);
  await clock.advance(999);
  expect(calls).toHaveLength(1);
  await clock.advance(1);
  expect(calls).toHaveLength(2);
  await clock.advance(2_000);
  expect(calls).toHaveLength(3);
  expect(reach.isReached).toBe(false);
  await clock.advance(4_000);
  expect(reach.isReached).toBe(true);
  expect(lines).toHaveLength(2);
  expect(warnings).toEqual(['BigQuery has not been reached yet', 'BigQuery was reached']);
});

test('closing ends it', async () => {
  const { clock, calls, lines, reach } = world(9);
  await settled();
  reach.close();
  await clock.advance(600_000);
  expect(calls).toHaveLength(1);
  expect(lines).toHaveLength(1);
});

test('a start waits for the first try, but not for ever', async () => {
  await world(0).reach.firstTry(2_000);
  await world(1).reach.firstTry(2_000);

  const clock = new ManualClock();
  const silent = { call: () => new Promise<never>(() => {}) };
  const log = { info() {}, warn() {} };
  const reach = startReaching({ api: silent, project: 'p', clock, log });
  let isOver = false;
  const waiting = reach.firstTry(2_000).then(() => {
    isOver = true;
  });
  await clock.advance(1_999);
  expect(isOver).toBe(false);
  await clock.advance(1);
  await waiting;
  expect(reach.isReached).toBe(false);
  reach.close();
});
