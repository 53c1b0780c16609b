import { byteUnits } from '../access/forms/bytes.ts';

/** DuckDB reads them in any letter case. */
const units = new Map(Object.entries(byteUnits).map(([name, bytes]) => [name.toUpperCase(), bytes]));

/** The bytes of a size as DuckDB reads it, such as `2GB` or `512 MiB`; undefined where it is none. */
export function bytesOf(size: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGT]i?B)$/i.exec(size) ?? [];
  const factor = units.get(unit.toUpperCase());
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
