import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../../errors.ts';
import { jsonElements, jsonMembers } from '../../text/json-elements.ts';
import { type Line, maxLineBytes, readLines } from '../lines.ts';

/** What a body's events are counted by: its lines, or the elements of its one JSON text. */
export type BodyUnit = 'line' | 'event';

const [lineFeed, openArray, openObject] = [0x0a, 0x5b, 0x7b];
const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * Reads the events of a body that is a JSON object (one event), an array, an object with an array `batch`, or NDJSON. Its
 * content tells which: it is NDJSON if its first line is a JSON object by itself and not the last one, or neither an object
 * nor an array. The texts of events are separated, but not checked. The events of one JSON text must all be JSON.
 *
 * @param onEvent called for each event; its number is that of its line or element, from 1
 * @throws GatewayError BAD_USER_INPUT for a body that is empty, or one text that is not JSON; and as `onEvent` does
 */
export function readBody(body: Uint8Array, onEvent: (event: Line, unit: BodyUnit) => void): void {
  const marked = byteOrderMark.every((byte, index) => body[index] === byte);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength).subarray(marked ? 3 : 0);
  const start = afterBlanks(bytes, 0);
  const first = bytes[start];
  if (first === undefined) throw new GatewayError('BAD_USER_INPUT', 'The body is empty.');
  if (first === openArray || (first === openObject && !isLines(bytes, start))) {
    readText(bytes, (event) => onEvent(event, 'event'));
    return;
  }
  readLines(bytes, 1, { line: (line) => onEvent(line, 'line'), blankLine: () => undefined });
}

function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0a || bytes[at] === 0x0d) at += 1;
  return at;
}

/** Whether an object is the first of several lines. */
function isLines(bytes: Buffer, start: number): boolean {
  const end = bytes.indexOf(lineFeed, start);
  if (end === -1 || afterBlanks(bytes, end) === bytes.length) return false;
  const firstLine = bytes.toString('utf8', start, end).trimEnd();
  if (!firstLine.endsWith('}')) return false;
  // A line that is broken JSON can be the beginning of a longer text.
  return isJson(firstLine) || bytes.length > maxLineBytes || !isJson(bytes.toString('utf8'));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function readText(bytes: Buffer, onEvent: (event: Line) => void): void {
  if (!isUtf8(bytes)) throw new GatewayError('BAD_USER_INPUT', 'The body is not UTF-8.');
  const text = bytes.toString('utf8').trim();
  const elements = text.startsWith('[') ? jsonElements(text) : batchOf(text);
  if (elements !== undefined) {
    let number = 0;
    for (const element of elements) {
      number += 1;
      onEvent(element.length > maxLineBytes ? tooLong(number, element) : { number, text: element });
    }
    return;
  }
  if (text.startsWith('[')) throw notJson('it begins with [ and does not end with ]');
  onEvent(text.length > maxLineBytes ? tooLong(1, text) : { number: 1, text });
}

function tooLong(number: number, text: string): Line {
  return { number, text: text.slice(0, 1000), fault: `longer than ${maxLineBytes / 1024 / 1024} MiB` };
}

/** The elements of an object's member `batch`, if it is an array. Its other members are not used. */
function batchOf(text: string): Iterable<string> | undefined {
  if (!text.includes('"batch"')) return undefined;
  let batch: Iterable<string> | undefined;
  for (const { key, value } of jsonMembers(text) ?? []) {
    if (key === '"batch"') batch = value.startsWith('[') ? jsonElements(value) : undefined;
    else if (!isJson(`{${key}:${value}}`)) return undefined;
  }
  return batch;
}

/** The error for a body that is one JSON text. */
export function notJson(reason: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `The body is not JSON: ${reason}.`);
}
