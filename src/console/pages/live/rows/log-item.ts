import type { Json, JsonObject } from '../../../api/json.ts';
import { cellText } from '../../../parts/text/cell-text.ts';
import { type Level, levelOf } from './level.ts';

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

function timeOf(row: JsonObject): number {
  const value = memberOf(row, 'timestamp');
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
