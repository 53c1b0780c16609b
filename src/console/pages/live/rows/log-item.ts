import type { Json, JsonObject } from '../../../api/json.ts';
import { type Level, levelOf } from '../../../parts/level/level.ts';
import { cellText } from '../../../parts/text/cell-text.ts';

/** A row of a tail, with what a list shows of it. */
export interface LogRow {
  readonly kind: 'row';
  /** Its place among all that has arrived. */
  readonly number: number;
  readonly row: JsonObject;
  /** Milliseconds since the epoch; NaN if it has no time. */
  readonly time: number;
  readonly level: Level;
  /** In one line. */
  readonly message: string;
  /** Its share of the text that has arrived. */
  readonly characters: number;
}

/** A place where rows were left out. */
interface Gap {
  readonly kind: 'gap';
  readonly number: number;
}

export type LogItem = LogRow | Gap;

const messageNames = ['event_message', 'message', 'msg', 'text', 'body'];

export function logRow(row: JsonObject, number: number, characters: number): LogRow {
  return {
    kind: 'row',
    number,
    row,
    time: timeOf(row),
    level: levelOf(row),
    message: messageOf(row),
    characters,
  };
}

const isoTime = /^\d{4}-\d{2}-\d{2}T/;

/** Rows of sources whose times are in another column have their first time. */
function timeOf(row: JsonObject): number {
  const value =
    memberOf(row, 'timestamp') ??
    Object.values(row).find((each) => typeof each === 'string' && isoTime.test(each));
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

function messageOf(row: JsonObject): string {
  const found = messageNames.map((name) => memberOf(row, name)).find((value) => typeof value === 'string');
  return cellText(found ?? row);
}

/** Names of columns have no letter case. */
function memberOf(row: JsonObject, wanted: string): Json | undefined {
  if (Object.hasOwn(row, wanted)) return row[wanted];
  const name = Object.keys(row).find((each) => each.toLowerCase() === wanted);
  return name === undefined ? undefined : row[name];
}

interface ItemLimits {
  readonly items: number;
  /** Of the rows' text. Few rows can be large. */
  readonly characters: number;
}

/** The newest items, as many as the limits allow. */
export interface NewestItems {
  /** Oldest first. */
  readonly items: readonly LogItem[];
  readonly characters: number;
  /** Whether older ones were dropped. */
  readonly isCut: boolean;
}

export const noItems: NewestItems = { items: [], characters: 0, isCut: false };

/** With further items. Those that are there are not changed: who reads them keeps them. */
export function withItems(before: NewestItems, added: readonly LogItem[], limits: ItemLimits): NewestItems {
  const all = [...before.items, ...added];
  let characters = added.reduce((sum, item) => sum + sizeOf(item), before.characters);
  let first = 0;
  // The newest one stays, whatever its size.
  while (first < all.length - 1 && (all.length - first > limits.items || characters > limits.characters)) {
    characters -= sizeOf(all[first]);
    first += 1;
  }
  return { items: first === 0 ? all : all.slice(first), characters, isCut: before.isCut || first > 0 };
}

function sizeOf(item: LogItem | undefined): number {
  return item?.kind === 'row' ? item.characters : 0;
}

/** A time of a row in UTC, with milliseconds: its date, and its time of day. */
export function timeTexts(time: number): { readonly date: string; readonly clock: string } {
  if (Number.isNaN(time)) return { date: '', clock: 'no time' };
  const text = new Date(time).toISOString();
  const middle = text.indexOf('T');
  return { date: text.slice(0, middle), clock: text.slice(middle + 1, -1) };
}

/** The time of day in UTC, to the second. */
export function clockText(time: number): string {
  return new Date(time).toISOString().slice(11, 19);
}
