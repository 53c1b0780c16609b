import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { ownMemory } from '../../../base/system/own-memory.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import { packedRows, type ResultRows, rowsInMemory } from '../../../engines/rows/result-rows.ts';
import type { Column, SqlType } from '../../../sql/values/type.ts';
import type { Row } from '../../../sql/values/value.ts';
import type { Entry } from '../entries/entry-store.ts';

/** The format described here. A changed format gets a new text. */
export const entryMagic = 'EGE2';
/** Where `madeAt` is in the bytes. Its digits sort like the number, for readers that read nothing else. */
export const madeAtDigits = 16;

const checksumAt = entryMagic.length + madeAtDigits;
const headBytes = checksumAt + 12;

const time = z.number().finite().nonnegative();
const factsSchema = z
  .object({
    rowCount: z.int().nonnegative(),
    truncated: z.boolean(),
    engineMs: z.number().nonnegative(),
    freshUntil: time,
    keptUntil: time,
  })
  .strict();

/** A time as written in the bytes of an entry. */
export function madeAtText(madeAt: number): string {
  return String(Math.floor(madeAt)).padStart(madeAtDigits, '0');
}

/**
 * An entry as bytes: the magic text, `madeAt`, a CRC-32 of everything else, the lengths of the two parts that follow (each
 * 4 bytes, big-endian), the facts as JSON, the key, and the rows to the end.
 */
export function encodeEntry({ key, rows, madeAt, ...facts }: Entry): Buffer {
  const { rowCount, truncated, engineMs, freshUntil, keptUntil } = facts;
  const factsPart = Buffer.from(JSON.stringify({ rowCount, truncated, engineMs, freshUntil, keptUntil }));
  const keyPart = Buffer.from(key);
  const head = Buffer.alloc(headBytes);
  head.write(entryMagic + madeAtText(madeAt), 'latin1');
  head.writeUInt32BE(factsPart.length, checksumAt + 4);
  head.writeUInt32BE(keyPart.length, checksumAt + 8);
  const bytes = Buffer.concat([head, factsPart, keyPart, rows]);
  bytes.writeUInt32BE(checksum(bytes), checksumAt);
  return bytes;
}

/** The entry of the bytes; undefined when they are damaged or have another format. */
export function decodeEntry(bytes: Buffer): Entry | undefined {
  const parts = partsOf(bytes);
  if (parts === undefined || bytes.readUInt32BE(checksumAt) !== checksum(bytes)) return undefined;
  const facts = factsSchema.safeParse(parsedJson(parts.facts));
  const madeAt = Number(bytes.toString('latin1', entryMagic.length, checksumAt));
  if (!facts.success || !Number.isSafeInteger(madeAt)) return undefined;
  const { freshUntil, keptUntil } = facts.data;
  if (freshUntil < madeAt || keptUntil < freshUntil) return undefined;
  return { ...facts.data, madeAt, key: parts.key, rows: ownMemory(bytes.subarray(parts.end)) };
}

/**
 * The key in the first bytes of an entry. A number when the key needs that many bytes. Undefined when the bytes are not an
 * entry.
 */
export function keyOfHead(bytes: Buffer): string | number | undefined {
  const parts = partsOf(bytes);
  if (parts === undefined) return undefined;
  return bytes.length < parts.end ? parts.end : parts.key;
}

function partsOf(bytes: Buffer) {
  if (bytes.length < headBytes || bytes.toString('latin1', 0, entryMagic.length) !== entryMagic)
    return undefined;
  const keyAt = headBytes + bytes.readUInt32BE(checksumAt + 4);
  const end = keyAt + bytes.readUInt32BE(checksumAt + 8);
  return { facts: bytes.toString('utf8', headBytes, keyAt), key: bytes.toString('utf8', keyAt, end), end };
}

function checksum(bytes: Buffer): number {
  return crc32(bytes.subarray(checksumAt + 4), crc32(bytes.subarray(0, checksumAt)));
}

/**
 * Returns the rows of an entry from outside this process; undefined unless it has exactly this number of rows of these
 * columns.
 */
export async function checkedRows(
  { rows: bytes, rowCount }: Pick<Entry, 'rows' | 'rowCount'>,
  columns: readonly Column[],
): Promise<ResultRows | undefined> {
  const type: SqlType = { kind: 'STRUCT', fields: columns };
  const rows: Row[] = [];
  try {
    for await (const chunk of packedRows([bytes], rowCount).chunks()) {
      if (!isList(chunk) || !chunk.every((row) => row !== null && isOfType(row, type))) return undefined;
      for (const row of chunk) rows.push(row);
    }
  } catch {
    return undefined;
  }
  return rows.length === rowCount ? rowsInMemory(rows) : undefined;
}

function isOfType(value: unknown, type: SqlType): boolean {
  if (value === null) return true;
  switch (type.kind) {
    case 'BOOL':
      return typeof value === 'boolean';
    case 'INT64':
    case 'TIMESTAMP':
      return typeof value === 'bigint';
    case 'FLOAT64':
      return typeof value === 'number';
    case 'ARRAY':
      return isList(value) && value.every((item) => isOfType(item, type.element));
    case 'STRUCT': {
      const { fields } = type;
      if (!isList(value) || value.length !== fields.length) return false;
      let index = 0;
      for (const field of fields) if (!isOfType(value[index++], field.type)) return false;
      return true;
    }
    default:
      return typeof value === 'string';
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
