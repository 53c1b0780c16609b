import { expect, test } from 'vitest';
import { GatewayError } from '../../../../src/base/errors/errors.ts';
import { ApiError, NoAnswer } from '../../../../src/engines/bigquery/api/api-error.ts';
import { Cancels } from '../../../../src/engines/bigquery/jobs/cancels.ts';
import { ManualClock, settled } from '../../../calls/executor/support/manual-clock.ts';

const job = { projectId: 'p', jobId: 'j', location: 'EU' };

function setup(cancel: (attempt: number, signal: AbortSignal) => unknown) {
  const clock = new ManualClock();
  const attempts: number[] = [];
  const warnings: object[] = [];
  const cancels = new Cancels({
    jobs: {
      async cancel(_job, { signal }) {
        attempts.push(clock.elapsed());
        const outcome = await cancel(attempts.length, signal);
        if (outcome instanceof Error) throw outcome;
      },
    },
    clock,
    log: { info() {}, error() {}, warn: (_, fields = {}) => void warnings.push(fields) },
  });
  return { cancels, clock, attempts, warnings };
}

test('a job that is not found yet is cancelled again, for up to half a minute', async () => {
  const { cancels, clock, attempts, warnings } = setup(
    () => new ApiError(404, { reason: 'notFound', message: 'Not found: Job p:EU.j' }),
  );
  cancels.cancel(job);
  await clock.advance(600_000);
  const triedForMs = (attempts.at(-1) ?? 0) - (attempts[0] ?? 0);
  expect(triedForMs).toBeGreaterThan(20_000);
  expect(triedForMs).toBeLessThanOrEqual(30_000);
  expect(warnings).toEqual([{ job: 'j', reason: 'Not found: Job p:EU.j' }]);
});

test.each([
  ['no answer', new NoAnswer('reset')],
  ['BigQuery is down', new GatewayError('BACKEND_UNAVAILABLE', 'down')],
  ['BigQuery fails', new ApiError(503, { reason: 'backendError', message: 'try again' })],
  ['BigQuery takes no more for now', new ApiError(403, { reason: 'rateLimitExceeded', message: 'slower' })],
])('%s: it is tried again', async (_, error) => {
  const { cancels, clock, attempts, warnings } = setup((attempt) => (attempt === 1 ? error : {}));
  cancels.cancel(job);
  await clock.advance(1_000);
  expect(attempts).toHaveLength(2);
  expect(warnings).toEqual([]);
});

test('what BigQuery refuses is refused', async () => {
  const { cancels, clock, attempts, warnings } = setup(
    () => new ApiError(403, { reason: 'accessDenied', message: 'no' }),
  );
  cancels.cancel(job);
  await clock.advance(60_000);
  expect(attempts).toHaveLength(1);
  expect(warnings).toEqual([{ job: 'j', reason: 'no' }]);
});

test('a job that turns out never to have been made is none', async () => {
  const { cancels, attempts } = setup(() => ({}));
  cancels.cancel(Promise.resolve(undefined));
  await cancels.close();
  expect(attempts).toEqual([]);
});

test('closing waits for a job that is reported late, as BigQuery reports those that it creates for queries', async () => {
  const { cancels, clock, attempts, warnings } = setup((_, signal) => signal.throwIfAborted());
  const told = Promise.withResolvers<typeof job>();
  cancels.cancel(told.promise);
  const closing = cancels.close();
  clock.after(3_000, () => told.resolve(job));
  await clock.advance(3_000);
  await closing;
  expect(attempts).toHaveLength(1);
  expect(warnings).toEqual([]);
});

test('closing waits for cancels, and no longer than four seconds', async () => {
  const answer = Promise.withResolvers<object>();
  const waiting = setup(() => answer.promise);
  waiting.cancels.cancel(job);
  let isClosed = false;
  const closing = waiting.cancels.close().then(() => {
    isClosed = true;
  });
  await settled();
  expect(isClosed).toBe(false);
  answer.resolve({});
  await closing;

  const hanging = setup(
    (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  );
  hanging.cancels.cancel(job);
  const ending = hanging.cancels.close();
  await hanging.clock.advance(4_000);
  await ending;
  expect(hanging.warnings).toHaveLength(1);
});
