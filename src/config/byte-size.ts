const factors: Readonly<Record<string, number>> = {
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KIB: 2 ** 10,
  MIB: 2 ** 20,
  GIB: 2 ** 30,
  TIB: 2 ** 40,
};

/** The bytes of a size as DuckDB reads it, such as `2GB` or `512 MiB`; undefined where it is none. */
export function bytesOf(size: string): number | undefined {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([KMGT]i?B)$/i.exec(size) ?? [];
  const factor = factors[unit.toUpperCase()];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}
