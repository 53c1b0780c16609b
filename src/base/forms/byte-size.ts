import { byteUnits } from './bytes.ts';

/** DuckDB accepts units in any letter case. */
const units = new Map(Object.entries(byteUnits).map(([name, bytes]) => [name.toUpperCase(), bytes]));

/** Bytes of a size in DuckDB's notation, such as `2GB` or `512 MiB`. Undefined if the text is not a size. */
export function bytesOf(size: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGT]i?B)$/i.exec(size) ?? [];
  const factor = units.get(unit.toUpperCase());
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
