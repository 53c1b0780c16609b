import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { LogFields } from '../../../src/base/terminal/log.ts';
import type { Rejection } from '../../../src/rows/ingest/events/parsed-events.ts';
import { eventReceiver } from '../../../src/server/collectors/collector-handler.ts';
import { EventReports, noEventMeter } from '../../../src/server/collectors/event-reports.ts';
import { RejectedFile } from '../../../src/server/collectors/rejected-file.ts';
import { ManualClock } from '../../calls/executor/support/manual-clock.ts';

const event = (reason: string, text = '{}'): Rejection => ({
  ...{ source: 'app', unit: 'event', index: 1, cause: 'type' },
  ...{ reason, text },
});

test('the log has a line for each source and minute, without values of events', async () => {
  const clock = new ManualClock();
  const lines: (readonly [string, LogFields | undefined])[] = [];
  const note = (message: string, fields?: LogFields) => lines.push([message, fields]);
  const reports = new EventReports({
    ...{ meter: noEventMeter, clock, keep: () => {} },
    log: { info: note, warn: note },
  });
  const rows = { source: 'app', imported: 2, duplicates: 1, newest: 0n };
  for (let request = 0; request < 100; request++) reports.added([rows], 0.1);
  reports.added([{ ...rows, source: 'other' }], 0.1);
  reports.rejected({
    events: [{ ...event('expected INT64, got "secret"'), source: 'other' }],
    counts: [{ source: 'other', cause: 'type', count: 7 }],
  });
  expect(lines).toEqual([]);
  await clock.advance(60_000);
  expect(lines).toEqual([
    ['rows received', { source: 'app', added: 200, duplicates: 100 }],
    [
      'rows received, and some rejected',
      { source: 'other', added: 2, duplicates: 1, rejected: 7, cause: 'type' },
    ],
  ]);
  await clock.advance(60_000);
  expect(lines).toHaveLength(2);
});

test('rejected events are in a file that stays small', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rejected-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'data', 'rejected.ndjson');
  const warnings: string[] = [];
  const file = new RejectedFile(path, () => 0, { warn: (message) => warnings.push(message) });
  file.add([event('first')]);
  await file.close();
  expect(await readFile(path, 'utf8')).toBe(
    '{"time":"1970-01-01T00:00:00.000Z","source":"app","reason":"first","event":"{}"}\n',
  );
  for (let batch = 0; batch < 30; batch++) {
    file.add([event('many', 'x'.repeat(1_000_000))]);
    await file.close();
  }
  expect((await stat(path)).size).toBeLessThan(9_000_000);
  expect((await stat(`${path}.1`)).size).toBeLessThan(9_000_000);
  expect(warnings).toEqual([]);
});

test('a file that can not be written fails no request, and is told once', async () => {
  const warnings: string[] = [];
  const file = new RejectedFile('/dev/null/rejected', () => 0, { warn: (message) => warnings.push(message) });
  file.add([event('first')]);
  await file.close();
  file.add([event('second')]);
  await file.close();
  expect(warnings).toEqual(['rejected events could not be written']);
});

test('new fields are added before the events', async () => {
  const steps: string[] = [];
  const request = { format: 'json', receivedAt: 0n, partial: false, writable: 'all' } as const;
  const fields = [{ name: 'region', type: 'STRING', mode: 'NULLABLE' }] as const;
  const receive = eventReceiver(
    async () => {
      steps.push('add');
      if (steps.length === 1) return { kind: 'new-fields', newFields: [{ source: 'app', fields }] };
      return { kind: 'added', rows: [], rejected: { events: [], counts: [] }, conflicts: [] };
    },
    async ([added]) => void steps.push(`${added?.source}.${added?.fields[0]?.name}`),
  );
  const outcome = await receive(new Uint8Array(), request, new AbortController().signal);
  expect(outcome.kind).toBe('added');
  expect(steps).toEqual(['add', 'app.region', 'add']);
});
