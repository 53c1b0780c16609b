import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { CallLogFields } from '../../calls/call-log.ts';
import { calledVersion, noteCall, noteFailure } from '../../calls/call-log.ts';
import { sourcesOf } from '../../calls/live/changes-of.ts';
import { liveClass, type RecordRun } from '../../calls/live/run-once.ts';
import { CallRecords } from '../../calls/records/call-records.ts';
import { takeJournal } from '../../calls/records/change-journal.ts';
import { ChangeRecords } from '../../calls/records/change-records.ts';
import { type RecordRow, RecordWriter } from '../../calls/records/record-writer.ts';
import { lowestClass } from '../../definitions/classes/query-class.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { isOwnSource, ownSourceName } from '../../definitions/sources/source.ts';
import type { AddEvents } from '../../rows/ingest/events/event-outcome.ts';
import type { GatewayMetrics } from '../../server/observability/metrics/gateway-metrics.ts';
import { recordsCalls } from '../schema/own-schema.ts';

interface RecordParts {
  readonly config: Config;
  readonly addEvents: AddEvents;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<GatewayMetrics, 'records'>;
  /** Makes digests of parameters. */
  readonly secret: string;
}

/** What records calls and changes. */
export interface Records {
  readonly calls: CallRecords;
  readonly changes: ChangeRecords;
  readonly recordRun: RecordRun;
  close(): Promise<void>;
}

/** How long rows may take to be stored, in milliseconds. */
const writeTimeoutMs = 30_000;

/** The records of calls and changes, in the gateway's own sources. Undefined if nothing is recorded. */
export function openRecords(parts: RecordParts): Records | undefined {
  const { config, clock, log, secret } = parts;
  if (!recordsCalls(config)) return undefined;
  const calls = new CallRecords({
    writer: writerTo('calls', parts),
    ...{ clock, secret, shownParameters: config.recordParameters },
  });
  const changes = new ChangeRecords({ writer: writerTo('changes', parts), clock });
  const { dataDir } = config;
  const taken = takeJournal({ dataDir, log }, (row, whenStored) => changes.takeOver(row, whenStored));
  return {
    calls,
    changes,
    recordRun: runRecorder(calls),
    async close() {
      await taken;
      await calls.close();
      await changes.close();
    },
  };
}

function writerTo(name: 'calls' | 'changes', { addEvents, clock, log, metrics }: RecordParts): RecordWriter {
  const source = ownSourceName(name);
  const write = async (rows: readonly RecordRow[]) => {
    const receivedAt = BigInt(clock.now()) * 1000n;
    const request = { format: 'json', source, receivedAt, partial: true, writable: 'own' } as const;
    const outcome = await addEvents(
      Buffer.from(JSON.stringify(rows)),
      request,
      AbortSignal.timeout(writeTimeoutMs),
    );
    if (outcome.kind === 'new-fields') throw new TypeError(`${source} lacks fields`);
    const [rejected] = outcome.rejected.events;
    if (rejected !== undefined) log.warn(`A row of ${source} was rejected: ${rejected.reason}`);
  };
  return new RecordWriter({ write, clock, log, count: metrics.records(name) });
}

/** Records runs of live answers. Those over the records themselves would never end. */
function runRecorder(calls: CallRecords): RecordRun {
  return (call, outcome, durationMs) => {
    const { endpoint, asked, caller } = call;
    if ([...sourcesOf(endpoint.plan)].some((name) => isOwnSource({ name }))) return;
    const logFields: CallLogFields = {};
    const ofRun = { ...asked, class: lowestClass(asked.class, liveClass) };
    const called = { endpoint: calledVersion(endpoint), asked: ofRun };
    if ('error' in outcome) noteFailure(logFields, { ...called, error: outcome.error, engineMs: 0 });
    else {
      const { cache, rows, engineMs, truncated, queueMs, planningMs, slices, cost } = outcome.result;
      noteCall(logFields, {
        ...{ ...called, cache: cache.status, rows: rows.count, engineMs },
        run: { truncated, queueMs, planningMs, ...(slices && { slices }), ...(cost && { cost }) },
      });
    }
    calls.record(logFields.records ?? [], caller, { api: 'live', durationMs });
  };
}
