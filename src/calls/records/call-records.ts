import { createHmac, randomUUID } from 'node:crypto';
import type { Clock } from '../../base/system/clock.ts';
import { canonicalValue } from '../../sql/values/canonical-value.ts';
import type { Value } from '../../sql/values/value.ts';
import { accountOf, type Caller } from '../access/caller/caller.ts';
import type { AskedQuery, CallRecord } from './call-record.ts';
import type { RecordRow, RecordWriter } from './record-writer.ts';

/** What the request of a call adds to its record. */
export interface RecordedRequest {
  /** Undefined for a run of a live answer. */
  readonly requestId?: string;
  readonly api: string;
  /** The `User-Agent`. */
  readonly client?: string | undefined;
  readonly status?: number;
  readonly durationMs: number;
  /** Of the response's body. */
  readonly bytes?: number | undefined;
}

interface CallRecordsOptions {
  readonly writer: Pick<RecordWriter, 'add' | 'close'>;
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'after'>;
  /** Makes digests of parameters, whose values nobody can find by trying. */
  readonly secret: string;
  /** The names of the parameters whose values are recorded. */
  readonly shownParameters: ReadonlySet<string>;
}

/** Calls that are recorded one by one in a second. Further ones are counted together, as those that the cache answers. */
const maxPerSecond = 1_000;
/** The same, of one key: it doesn't take the place of others. */
const maxOfKey = 200;
/** After how many milliseconds counts are written, if their minute isn't over before. */
const countMs = 10_000;
/** Different counts. With more, they are written at once. */
const maxCounts = 10_000;
const maxClientLength = 200;
/** Characters of a recorded value, and of one that makes a difference in a digest. */
const maxValueLength = 200;
const maxDigested = 10_000;

/** Calls of one key, endpoint and minute with the same outcome. */
interface Count {
  readonly minute: number;
  readonly row: Omit<RecordRow, 'id'>;
  calls: number;
  rows: number;
  bytes: number;
  durationMs: number;
  engineMs: number;
}

/**
 * Records calls as rows of `gateway.calls`. Answers of the cache are counted by key, endpoint and minute, so that they stay as fast as
 * they are; all others have a row of their own.
 */
export class CallRecords {
  readonly #options: CallRecordsOptions;
  readonly #run = randomUUID();
  readonly #counts = new Map<string, Count>();
  #countTimer: { cancel(): void } | undefined;
  #second = 0;
  #inSecond = 0;
  readonly #ofKeys = new Map<string, number>();
  #made = 0;

  constructor(options: CallRecordsOptions) {
    this.#options = options;
  }

  /** Records the calls of a request, or a run of a live answer. */
  record(calls: readonly CallRecord[], caller: Caller | undefined, request: RecordedRequest): void {
    for (const [index, call] of calls.entries()) {
      // The body has the answers of all calls.
      const { bytes = 0 } = index === 0 ? request : {};
      const isRepeated = call.cache === 'hit' && call.code === undefined;
      const isCounted = isRepeated || call.endpoint === undefined;
      if (isCounted || !this.#hasRoom(caller)) this.#count(call, caller, { ...request, bytes });
      else this.#add(this.#rowOf(call, caller, { ...request, bytes }));
    }
  }

  /** Hands over what is counted, and waits until it is stored. */
  async close(): Promise<void> {
    this.#countTimer?.cancel();
    this.#writeCounts();
    await this.#options.writer.close();
  }

  #hasRoom(caller: Caller | undefined): boolean {
    const second = Math.floor(this.#options.clock.elapsed() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#inSecond = 0;
      this.#ofKeys.clear();
    }
    const { key } = accountOf(caller ?? { name: '' });
    const ofKey = this.#ofKeys.get(key) ?? 0;
    if (ofKey >= maxOfKey || this.#inSecond >= maxPerSecond) return false;
    this.#inSecond += 1;
    this.#ofKeys.set(key, ofKey + 1);
    return true;
  }

  #count(call: CallRecord, caller: Caller | undefined, request: RecordedRequest): void {
    const minute = Math.floor(this.#options.clock.now() / 60_000);
    const { bytes = 0, durationMs } = request;
    const who = caller === undefined ? '' : `${caller.id ?? caller.name}\n${caller.issuer?.name ?? ''}`;
    const outcome = outcomeOf(call, request);
    const key = [minute, who, ...Object.values(outcome)].join('\n');
    let count = this.#counts.get(key);
    if (count === undefined) {
      const row = { ...whoseOf(caller), ...outcome };
      count = { minute, row, calls: 0, rows: 0, bytes: 0, durationMs: 0, engineMs: 0 };
      this.#counts.set(key, count);
      if (this.#counts.size > maxCounts) this.#writeCounts();
      this.#countTimer ??= this.#options.clock.after(countMs, () => this.#writeCounts());
    }
    count.calls += 1;
    count.rows += call.rows;
    count.bytes += bytes;
    count.durationMs += durationMs;
    count.engineMs += call.engineMs;
  }

  #writeCounts(): void {
    this.#countTimer?.cancel();
    this.#countTimer = undefined;
    for (const { minute, row, calls, rows, bytes, durationMs, engineMs } of this.#counts.values()) {
      this.#add({
        ...row,
        timestamp: new Date(minute * 60_000).toISOString(),
        ...{ call_count: calls, row_count: rows, bytes },
        ...{ duration_ms: rounded(durationMs), engine_ms: rounded(engineMs) },
      });
    }
    this.#counts.clear();
  }

  #add(row: Omit<RecordRow, 'id'>): void {
    this.#made += 1;
    this.#options.writer.add({ id: `${this.#run}-${this.#made}`, ...row });
  }

  #rowOf(call: CallRecord, caller: Caller | undefined, request: RecordedRequest): Omit<RecordRow, 'id'> {
    const { asked, run, rows, engineMs } = call;
    const { requestId, client, bytes, durationMs } = request;
    return {
      timestamp: new Date(this.#options.clock.now()).toISOString(),
      call_count: 1,
      ...whoseOf(caller),
      ...outcomeOf(call, request),
      ...(asked && this.#askedOf(asked)),
      ...{ row_count: rows, bytes, duration_ms: rounded(durationMs), engine_ms: rounded(engineMs) },
      ...(run && {
        truncated: run.truncated,
        queue_ms: run.queueMs === undefined ? undefined : rounded(run.queueMs),
        planning_ms: run.planningMs === undefined ? undefined : rounded(run.planningMs),
        slices_kept: run.slices?.kept,
        slices_made: run.slices?.made,
        slot_ms: run.cost?.slotMs,
        bytes_processed: run.cost?.bytesProcessed,
        bytes_billed: run.cost?.bytesBilled,
      }),
      request_id: requestId,
      client: client && withoutSecrets(client).slice(0, maxClientLength),
    };
  }

  #askedOf({ form, parameters }: AskedQuery): object {
    const { secret, shownParameters } = this.#options;
    const values = Array.from(parameters, ([name, value]) => [name, canonicalValue(value)] as const);
    const digest = createHmac('sha256', secret);
    for (const [name, value] of values)
      digest.update(JSON.stringify([name, ...shortened(value, maxDigested)]));
    const shown = values.filter(([name]) => shownParameters.has(name));
    return {
      query: form,
      parameters_digest: digest.digest('base64url').slice(0, 22),
      ...(shown.length > 0 && {
        parameters: Object.fromEntries(
          shown.map(([name, value]) => [name, shortened(value, maxValueLength)[0]]),
        ),
      }),
    };
  }
}

/** The columns about the caller. */
export function whoseOf(caller: Caller | undefined): { readonly [column: string]: string | undefined } {
  if (caller === undefined) return {};
  const { isToken, issuer } = caller;
  const key = isToken ? issuer : caller;
  return { key: key?.name, key_id: key?.id, ...(isToken && { subject: caller.name.replace(/^token:/, '') }) };
}

/** The columns by which calls are counted, besides those about the caller. */
function outcomeOf(call: CallRecord, { api, status }: RecordedRequest) {
  const { endpoint, version, cache, code, asked } = call;
  return { endpoint, version, cache, code, api, status, class: asked?.class ?? call.class };
}

/** A value, or the beginning of a long one, and how long it is. */
function shortened(value: Value, maxLength: number): readonly [Value, number] {
  if (typeof value === 'string') return [value.slice(0, maxLength), value.length];
  if (!Array.isArray(value)) return [value, 0];
  const first = value.slice(0, 20).map((element: Value) => shortened(element, maxLength)[0]);
  return [first, value.length];
}

/** Clients put keys and tokens into every header. Names and versions of programs are shorter. */
function withoutSecrets(text: string): string {
  return text.replace(/[\w.=+-]{24,}/g, '***');
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100;
}
