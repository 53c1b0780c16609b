/** Bytes by the unit's name. */
const byteUnits: Readonly<Record<string, number>> = {
  '': 1,
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

/** Parses `1000000`, `100GB` or `1.5TiB` into whole bytes; undefined for every other text. */
export function parseBytes(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,16}(?:\.\d{1,9})?) ?([A-Za-z]{0,3})$/.exec(text) ?? [];
  const factor = Object.hasOwn(byteUnits, unit) ? byteUnits[unit] : undefined;
  if (digits === undefined || factor === undefined) return undefined;
  const bytes = Number(digits) * factor;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** The same for at least one byte. */
export function parseSomeBytes(text: string): number | undefined {
  return parseBytes(text) || undefined;
}

export const bytesExpected = 'expected a number of bytes, such as 5000000, 100GB or 1.5TiB';

/** DuckDB accepts units in any letter case. */
const duckdbUnits = new Map(Object.entries(byteUnits).map(([name, bytes]) => [name.toUpperCase(), bytes]));

/** Bytes of a size in DuckDB's notation, such as `2GB` or `512 MiB`. Undefined if the text is not a size. */
export function bytesOf(size: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGT]i?B)$/i.exec(size) ?? [];
  const factor = duckdbUnits.get(unit.toUpperCase());
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

/** A number of bytes in millions, rounded up: `1,200 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}

/** A limit in bytes, rounded down: `16 MiB`. */
export function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MiB`;
}
