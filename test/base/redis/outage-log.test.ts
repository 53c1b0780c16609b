import { expect, test } from 'vitest';
import { OutageLog } from '../../../src/base/redis/outage-log.ts';
import { ManualClock } from '../../calls/executor/support/manual-clock.ts';
import { fakeLog } from '../../server/listener/running-gateway.ts';

test('an outage is logged with its last reason: the first one is often only that a connection ended', async () => {
  const clock = new ManualClock();
  const log = fakeLog();
  const outages = new OutageLog(log, clock);
  outages.away('Socket closed unexpectedly');
  outages.away('NOAUTH Authentication required.');
  await clock.advance(1000);
  outages.away('NOAUTH Authentication required.');
  outages.back();
  expect(log.lines).toEqual([
    'warn: Redis is unavailable: this replica continues without it',
    'warn: Redis is back',
  ]);
  expect(log.fields[0]).toEqual({ reason: 'NOAUTH Authentication required.' });
});
