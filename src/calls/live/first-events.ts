import type { Row } from '../../sql/values/value.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import type { ExecutorResult } from '../executor/executor.ts';
import { ShownRows } from '../executor/shown-rows.ts';
import { earliest, type KeyedRow, rowId } from './sent-rows.ts';
import { cursorText, readCursor, type TailCursor } from './tail-cursor.ts';
import type { TailEvent } from './tail-event.ts';
import { sinceLate, type TailPlace, type TailProgress } from './tail-progress.ts';
import type { Watcher } from './watchers.ts';

interface TailClientParts {
  readonly call: AuthorisedCall;
  /** Ids of rows that the client has, and that the tail may send. */
  readonly own: readonly string[];
}

/** What sets a client apart from others that watch the same tail: rows that it has from another run of the tail. */
class TailClient {
  readonly #parts: TailClientParts;
  readonly #own: Set<string>;

  constructor(parts: TailClientParts) {
    this.#parts = parts;
    this.#own = new Set(parts.own);
  }

  /** Whether it gets the same as others. */
  get isLikeOthers(): boolean {
    return this.#own.size === 0;
  }

  /** The rows that it doesn't have. Each of the others won't come again. */
  without(rows: readonly KeyedRow[]): readonly Row[] {
    const missed = this.isLikeOthers ? rows : rows.filter(({ key }) => !this.#own.delete(rowId(key)));
    return missed.map(({ row }) => row);
  }

  /** A place from which it goes on. */
  cursor(place: TailPlace): string {
    // Ids are made of whole rows: from them, a text that is hidden could be guessed.
    const isTold = this.#parts.call.hidden.length === 0;
    return cursorText({ ...place, own: [...this.#own], sent: isTold ? place.sent : undefined });
  }
}

/** Where a tail begins for a client. */
export interface TailBegin {
  /** How many of the present rows come first. */
  readonly rows: number;
  /** The id of the last event that the client has, if it has lost its connection. */
  readonly after: string | undefined;
}

/** What one client gets before the batches of a tail. */
export interface FirstEvents {
  readonly client: TailClient;
  readonly events: readonly TailEvent[];
  /** The batch after them. */
  readonly next: number;
}

interface FirstEventsParts {
  readonly progress: TailProgress;
  readonly watcher: Watcher;
  /** The present time, and the latest time of rows that come when they arrive, in microseconds since the epoch. */
  readonly now: bigint;
  readonly latest: bigint;
  /** Reads rows between two times, the newest first. */
  readonly read: (since: bigint, until: bigint) => Promise<ExecutorResult>;
}

/**
 * What one client gets before the batches of a tail: the newest rows or, if it has lost its connection, what it has missed. An
 * event says so if that is not known.
 */
export async function firstEvents(
  { rows, after = '' }: TailBegin,
  parts: FirstEventsParts,
): Promise<FirstEvents> {
  const { progress } = parts;
  const read = readCursor(after);
  const cursor = read !== undefined && progress.isSame(read) ? read : undefined;
  if (cursor !== undefined && progress.isKept(cursor)) {
    // An event without rows tells clients that they are connected.
    return { ...first(parts, cursor.own, cursor, []), next: cursor.batch + 1 };
  }
  const { place } = progress;
  if (cursor === undefined) {
    const newest = await newestRows(rows, place, parts);
    return first(parts, [], place, newest, after !== '');
  }
  // Another run of the tail has sent the rows before, or they were forgotten.
  const { own, sent, time } = cursor;
  // Without ids, late rows can't be told from rows that the client has.
  const found = await sentRows(sent === undefined ? time + 1n : sinceLate(time), place, parts);
  const isLost = sent === undefined || found.isTruncated;
  return first(parts, [...own, ...(sent ?? [])], place, found.rows, isLost);
}

function first(
  { progress, watcher: { call } }: FirstEventsParts,
  own: readonly string[],
  place: TailPlace,
  rows: readonly KeyedRow[],
  isLost = false,
): FirstEvents {
  const client = new TailClient({ call, own });
  const missed = progress.rowsOf(client.without(rows));
  const event = { kind: 'rows', rows: new ShownRows(call, missed), cursor: client.cursor(place) } as const;
  return { client, events: isLost ? [{ kind: 'skipped' }, event] : [event], next: place.batch + 1 };
}

async function newestRows(
  count: number,
  place: TailPlace,
  parts: FirstEventsParts,
): Promise<readonly KeyedRow[]> {
  const { batches } = parts.progress;
  const kept = await batches.newest(count);
  // Some were forgotten.
  const isShort = kept.length < count && batches.first > 1;
  const rows = isShort ? (await sentRows(earliest, place, parts)).rows : kept;
  return rows.slice(-count || rows.length);
}

/** Reads the rows from a time on that the tail has sent up to a place. */
async function sentRows(
  since: bigint,
  { batch }: Pick<TailCursor, 'batch'>,
  { progress, now, latest, read }: FirstEventsParts,
): Promise<{ readonly rows: readonly KeyedRow[]; readonly isTruncated: boolean }> {
  const { sent, batches } = progress;
  let result = await read(since, latest);
  let found = await result.rows.all();
  const isTruncated = result.truncated;
  if (isTruncated && found.some((row) => sent.timeOf(row) > now)) {
    // Rows ahead may not take the place of others.
    result = await read(since, now);
    found = await result.rows.all();
  }
  // What has arrived meanwhile comes in further batches.
  const later = new Set(batches.keysAfter(batch));
  const rows = sent
    .keyed(found)
    .filter((each) => !later.has(each.key) && !progress.comes(each))
    .toReversed();
  return { rows, isTruncated };
}
