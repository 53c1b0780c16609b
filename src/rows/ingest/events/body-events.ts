import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../../../base/errors/errors.ts';
import { mebibytes } from '../../../base/forms/bytes.ts';
import { mayLoseDigits } from '../../../base/text/json-number.ts';
import { closes, jsonElements, jsonMembers, shapeOfJson } from '../../../base/text/json-tokens.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import { afterMark } from '../body/byte-order-mark.ts';
import { maxLineBytes, readLines } from '../body/lines.ts';
import { isObject } from '../encode/record-members.ts';
import { maxLevels } from '../encode/row-encoder.ts';
import { describeValue } from '../encode/row-validation-error.ts';

/** An event of a body, not checked. */
export interface BodyEvent {
  /** What is counted: the body's lines, or the elements of its one JSON text. */
  readonly unit: 'line' | 'event';
  /** From 1. */
  readonly number: number;
  readonly text: () => string;
  /** Why it can't be read. */
  readonly fault?: string | undefined;
  /** Its value, if it is parsed already, and whether its strings may have escaped characters. */
  readonly parsed?: { readonly value: unknown; readonly hasEscapes: boolean };
}

const [lineFeed, openArray, openObject, comma, colon] = [0x0a, 0x5b, 0x7b, 0x2c, 0x3a];

/**
 * Reads the events of a body that is a JSON object (one event), an array, an object with nothing but an array `batch` and perhaps the
 * name of its source, or NDJSON. Its
 * content tells which: it is NDJSON if its lines can't belong to one JSON text, or if it begins with neither a brace nor a bracket. The
 * events of one JSON text must all be JSON, which the caller checks if they aren't parsed.
 *
 * @param onEvent called for each event
 * @throws GatewayError BAD_USER_INPUT for a body that is empty, or one text that is not JSON; and as `onEvent` does
 */
export function readBody(body: Uint8Array, onEvent: (event: BodyEvent) => void): void {
  const bytes = afterMark(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  const start = afterBlanks(bytes, 0);
  const first = bytes[start];
  if (first === undefined) throw new GatewayError('BAD_USER_INPUT', 'The body is empty.');
  if ((first === openArray || first === openObject) && !isLines(bytes, start)) {
    readText(bytes, onEvent);
    return;
  }
  readLines(bytes, 1, {
    line: ({ number, text, fault }) => onEvent({ unit: 'line', number, text: () => text, fault }),
    blankLine: () => undefined,
  });
}

function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at += 1;
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === lineFeed || byte === 0x0d;
}

/**
 * Whether several lines can't belong to one JSON text: because the first one closes its brackets, or because one that begins with
 * a brace follows one that ends with none of `[`, `,` and `:`.
 */
function isLines(bytes: Buffer, start: number): boolean {
  const end = bytes.indexOf(lineFeed, start);
  if (end === -1 || afterBlanks(bytes, end) === bytes.length) return false;
  if (closes(bytes.toString('utf8', start, end))) return true;
  return bytes[start] === openObject && hasSeparateObject(bytes, start);
}

function hasSeparateObject(bytes: Uint8Array, start: number): boolean {
  let last = openObject;
  let isLineStart = false;
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === lineFeed) isLineStart = true;
    if (byte === undefined || isBlank(byte)) continue;
    if (isLineStart && byte === openObject && last !== openArray && last !== comma && last !== colon)
      return true;
    isLineStart = false;
    last = byte;
  }
  return false;
}

/** Parsing longer texts at once would take much memory. */
const maxAtOnce = 4 * 1024 * 1024;
const maxValuesAtOnce = 1_000_000;

function readText(bytes: Buffer, onEvent: (event: BodyEvent) => void): void {
  if (!isUtf8(bytes)) throw new GatewayError('BAD_USER_INPUT', 'The body is not UTF-8.');
  const text = bytes.toString('utf8').trim();
  const parsed = parsedAtOnce(text);
  if (parsed === undefined) readElements(text, onEvent);
  else readParsed(parsed, text, onEvent);
}

/** Undefined if the text is not to be parsed at once, or is no JSON: its elements tell where. */
function parsedAtOnce(text: string): unknown {
  if (text.length > maxAtOnce || mayLoseDigits(text)) return undefined;
  const { depth, values } = shapeOfJson(text);
  if (depth > maxLevels || values > maxValuesAtOnce) return undefined;
  return parsedJson(text);
}

function readParsed(value: unknown, text: string, onEvent: (event: BodyEvent) => void) {
  const hasEscapes = text.includes('\\u');
  const batch = isObject(value) ? value.batch : value;
  if (isObject(value) && Array.isArray(batch)) refuseOtherMembers(Object.keys(value));
  const values = Array.isArray(batch) ? batch : [value];
  let texts: readonly string[] | undefined;
  for (const [index, event] of values.entries()) {
    const textOf = () => {
      texts ??= [...(elementsOf(text) ?? [text])];
      return texts[index] ?? '';
    };
    onEvent({ unit: 'event', number: index + 1, text: textOf, parsed: { value: event, hasEscapes } });
  }
}

function readElements(text: string, onEvent: (event: BodyEvent) => void): void {
  const elements = elementsOf(text);
  if (elements === undefined && text.startsWith('['))
    throw notJson('it begins with [ and does not end with ]');
  let number = 0;
  for (const element of elements ?? [text]) {
    number += 1;
    if (element.length <= maxLineBytes) {
      onEvent({ unit: 'event', number, text: () => element });
    } else {
      const fault = `longer than ${mebibytes(maxLineBytes)}`;
      onEvent({ unit: 'event', number, text: () => element.slice(0, 1000), fault });
    }
  }
}

function elementsOf(text: string): Iterable<string> | undefined {
  return text.startsWith('[') ? jsonElements(text) : batchOf(text);
}

/** The elements of an object's member `batch`, if it is an array. */
function batchOf(text: string): Iterable<string> | undefined {
  if (!text.includes('"batch"') && !text.includes('\\u')) return undefined;
  let batch: Iterable<string> | undefined;
  const others: string[] = [];
  for (const { key, value } of jsonMembers(text) ?? []) {
    if (isBatch(key)) batch = value.startsWith('[') ? jsonElements(value) : undefined;
    else if (isJson(`{${key}:${value}}`)) others.push(key);
    else return undefined;
  }
  if (batch !== undefined) refuseOtherMembers(others.map((key) => JSON.parse(key)));
  return batch;
}

/** Refuses a batch with members that would be lost: it may be an event with a field named `batch`. */
function refuseOtherMembers(names: readonly string[]): void {
  const other = names.find((name) => name !== 'batch' && !sourceNames.some((each) => each === name));
  if (other === undefined) return;
  throw new GatewayError(
    'BAD_USER_INPUT',
    `The body has "batch" and ${describeValue(other)}, so that it could be a batch or one event. Send a batch without other members, and an event within an array.`,
  );
}

function isJson(text: string): boolean {
  return shapeOfJson(text).depth <= maxLevels && parsedJson(text) !== undefined;
}

/** The names by which Logflare takes the source of events, the first of them first. */
export const sourceNames = ['source', 'collection', 'source_name', 'collection_name'] as const;

/**
 * The member of a body's one object that names the source of its events, and the source. Undefined if there is none, or the
 * body isn't one object.
 */
export function sourceMember(
  body: Uint8Array,
): { readonly member: string; readonly source: string } | undefined {
  const bytes = afterMark(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  const start = afterBlanks(bytes, 0);
  if (bytes[start] !== openObject || isLines(bytes, start)) return undefined;
  const members = jsonMembers(bytes.toString('utf8')) ?? [];
  for (const member of sourceNames) {
    const text = members.findLast(({ key }) => key === `"${member}"`)?.value ?? '';
    const source: unknown = text.startsWith('"') && isJson(text) ? JSON.parse(text) : undefined;
    if (typeof source === 'string' && source !== '') return { member, source };
  }
  return undefined;
}

/** Whether a key, as written, is `batch`. */
function isBatch(key: string): boolean {
  return key === '"batch"' || (key.includes('\\u') && isJson(key) && JSON.parse(key) === 'batch');
}

/** The error for a body that is one JSON text. */
export function notJson(reason: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `The body is not JSON: ${reason}.`);
}
