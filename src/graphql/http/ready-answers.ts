import type { GraphQLSchema } from 'graphql';
import { holdsKeyText } from '../../access/key/key-text.ts';
import type { Clock } from '../../clock.ts';
import type { HeldEntry } from '../../executor/cache/entry-table.ts';
import type { BudgetedTable } from '../../executor/cache/memory-budget.ts';
import type { CacheMemory } from '../../executor/create-executor.ts';
import type { ExecutorMeter } from '../../executor/meter.ts';
import { noteCall, type RequestFacts } from '../../http/request-log-fields.ts';
import type { AnsweredCall } from '../context.ts';
import { callReport, lifetime } from './call-report.ts';

/** A text of which each character is one byte of UTF-8, as Node's encoding `latin1` has it. */
type ByteText = string;

/** The body of an answer. */
export interface ReadyBody {
  /** The same bytes for everybody who asks the same. */
  readonly start: Buffer;
  /** What differs from request to request. */
  readonly end: ByteText;
  /** What is to be known of a request that is answered so. */
  readonly facts: RequestFacts;
}

/** The answer to an operation, apart from what differs from request to request. */
interface ReadyAnswer {
  readonly start: Buffer;
  readonly calls: readonly ReadyCall[];
  readonly facts: RequestFacts;
}

interface ReadyCall {
  readonly endpoint: string;
  /** Its report, up to how old the rows are. */
  readonly report: ByteText;
  /** Where the rows came from. Weakly: an answer keeps no entry in memory that its table has let go. */
  readonly held: WeakRef<HeldEntry>;
}

/** The ready answers of one schema. */
export interface SchemaAnswers {
  /**
   * The body of the answer to a request; undefined when there is none that is valid now.
   *
   * @param requestId an id as `requestIdFrom` lets through
   */
  find(key: string, requestId: string): ReadyBody | undefined;
  /**
   * Keeps the answer to an operation that succeeded, when all of it is from entries of the cache.
   *
   * @param key everything that changes the answer, and the right to see it
   * @param data gives the answer's part `data` as JSON
   */
  keep(key: string, calls: readonly AnsweredCall[], data: () => string): void;
}

/** Nothing is kept. */
export const noAnswers: SchemaAnswers = { find: () => undefined, keep: () => {} };

interface ReadyAnswersOptions {
  readonly memory: CacheMemory;
  readonly clock: Clock;
  readonly meter: ExecutorMeter;
}

/** What an answer and each of its calls take beside their texts, in bytes. */
const answerBytes = 200;
const callBytes = 250;

/** How the part of a report begins that changes while time goes by. It is the last one. */
const volatilePart = '"ageSeconds":';

/**
 * Answers to operations that were asked before, ready to be sent but for the request's id and the age of rows. One is
 * valid as long as every entry that it was made from is held and fresh, and is of the schema that was used last. A
 * hit counts as a call of the executor does, for whoever watches and for whatever goes by when entries were asked for.
 */
export class ReadyAnswers {
  readonly #options: ReadyAnswersOptions;
  readonly #answers: BudgetedTable<ReadyAnswer>;
  /** The schema of all the answers. */
  #schema: GraphQLSchema | undefined;

  constructor(options: ReadyAnswersOptions) {
    this.#options = options;
    const { budget, table } = options.memory;
    this.#answers = budget.table();
    table.onInvalidate(() => this.#sweep());
  }

  /** The answers of a schema. The first one that is kept is the end of those of another schema. */
  of(schema: GraphQLSchema): SchemaAnswers {
    return {
      find: (key, requestId) => (schema === this.#schema ? this.#find(key, requestId) : undefined),
      keep: (key, calls, data) => {
        if (!this.#areHeld(calls) || holdsKeyText(key)) return;
        if (schema !== this.#schema) this.#answers.clear();
        this.#schema = schema;
        this.#keep(key, calls, data());
      },
    };
  }

  #find(key: string, requestId: string): ReadyBody | undefined {
    const answer = this.#answers.get(key);
    if (answer === undefined) return undefined;
    const { clock, meter } = this.#options;
    const now = clock.now();
    const reports: ByteText[] = [];
    const entries: HeldEntry[] = [];
    for (const { report, held } of answer.calls) {
      const entry = held.deref();
      if (entry === undefined || !this.#isValid(entry, now)) {
        this.#answers.delete(key);
        return undefined;
      }
      const { ageSeconds, ttlSeconds } = lifetime(entry.entry, now);
      entries.push(entry);
      reports.push(`${report}${ageSeconds},"ttlSeconds":${ttlSeconds}}}`);
    }
    for (const entry of entries) entry.askedAt = now;
    for (const { endpoint } of answer.calls) meter.cacheRequest(endpoint, 'hit');
    const { start, facts } = answer;
    return { start, facts, end: `"${requestId}","calls":[${reports.join()}]}}}` };
  }

  #areHeld(calls: readonly AnsweredCall[]): boolean {
    const now = this.#options.clock.now();
    return calls.length > 0 && calls.every(({ held }) => held !== undefined && this.#isValid(held, now));
  }

  /** Being looked for, the entry counts as used. */
  #isValid(held: HeldEntry, now: number): boolean {
    const { key, freshUntil } = held.entry;
    return now < freshUntil && this.#options.memory.table.get(key) === held;
  }

  #keep(key: string, calls: readonly AnsweredCall[], json: string): void {
    const start = ownBytes(`{"data":${json},"extensions":{"gateway":{"requestId":`);
    const readyCalls = calls.flatMap((call) => readyCall(call) ?? []);
    const bytes = readyCalls.reduce((sum, { report }) => sum + report.length + callBytes, start.length);
    const facts: RequestFacts = {};
    for (const { endpoint, rows } of calls) noteCall(facts, { endpoint, rows, engineMs: 0, cache: 'hit' });
    this.#answers.set(key, { start, facts, calls: readyCalls }, bytes + answerBytes);
  }

  /** Entries were dropped: nothing that was made from them stays behind. */
  #sweep(): void {
    const isCurrent = ({ held }: ReadyCall) => {
      const entry = held.deref();
      return entry !== undefined && this.#options.memory.table.peek(entry.entry.key) === entry;
    };
    for (const [key, { calls }] of [...this.#answers.entries()]) {
      if (!calls.every(isCurrent)) this.#answers.delete(key);
    }
  }
}

function readyCall(call: AnsweredCall): ReadyCall | undefined {
  const { cost: _, ...free } = call;
  const { endpoint, held } = free;
  if (held === undefined) return undefined;
  const { madeAt, freshUntil } = held.entry;
  const cache = { status: 'hit', collapsed: false, madeAt, freshUntil } as const;
  const report = byteText(JSON.stringify(callReport({ ...free, engineMs: 0, cache }, madeAt)));
  const end = report.lastIndexOf(volatilePart) + volatilePart.length;
  return { endpoint, report: report.slice(0, end), held: new WeakRef(held) };
}

/** Small pieces of memory are parts of a large one, all of which they would keep. */
function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

function byteText(text: string): ByteText {
  return Buffer.from(text).toString('latin1');
}
