/** A placeholder for the work of a call and a row without a checkpoint, until the number of calls is known. */
export const freeWork = '\0free work\0';

/** Nanoseconds that the calls of a row may take together without a checkpoint: with 2,048 rows, some tenths of a second. */
const maxWork = 80_000;
/** What a checkpoint is not worth. */
const minWork = 2_000;

/** Gives each call its share of the work that needs no checkpoint. */
export function withFreeWork(sql: string): string {
  const calls = sql.split(freeWork).length - 1;
  if (calls === 0) return sql;
  return sql.replaceAll(freeWork, String(Math.max(minWork, Math.floor(maxWork / calls))));
}
