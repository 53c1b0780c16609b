import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Column, SqlType } from '../../sql/type.ts';
import type { Row } from '../../sql/value.ts';
import { ownMemory } from './own-memory.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Most of the gain for a third of the default level's time. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** What rows may take when they are unpacked: a bound on what a corrupt text can make of itself. */
const maxUnpackedBytes = 1_000_000_000;

/** Rows in few bytes, every value kept exactly. */
export async function packRows(rows: readonly Row[]): Promise<Buffer> {
  return ownMemory(await compress(serialize(rows), options));
}

/**
 * The rows that were packed.
 *
 * @throws Error when the bytes hold anything but rows of these columns
 */
export async function unpackRows(bytes: Buffer, columns: readonly Column[]): Promise<readonly Row[]> {
  const rows: unknown = deserialize(await decompress(bytes, { maxOutputLength: maxUnpackedBytes }));
  const row: SqlType = { kind: 'STRUCT', fields: columns };
  if (!isList(rows) || !rows.every((each) => each !== null && isOfType(each, row))) {
    throw new Error('these are no rows of the columns');
  }
  return rows as readonly Row[];
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
