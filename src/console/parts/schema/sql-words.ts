const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Words of GoogleSQL that can't be a name without quotes. Source: GoogleSQL, Lexical structure, Reserved keywords. */
export const reservedWords = words(`
  all and any array as asc assert_rows_modified at between by case cast collate contains create cross cube current
  default define desc distinct else end enum escape except exclude exists extract false fetch following for from full
  group grouping groups hash having if ignore in inner intersect interval into is join lateral left like limit lookup
  merge natural new no not null nulls of on or order outer over partition preceding proto qualify range recursive
  respect right rollup rows select set some struct tablesample then to treat true unbounded union unnest using when
  where window with within`);

export const typeWords = words(`
  date time datetime timestamp int64 float64 numeric bignumeric string bytes bool json array struct interval`);

/** The words of queries that completion offers. */
export const offeredWords = words(`
  select from where and or not in is null as on join left cross inner full unnest group by order having limit offset
  with union all distinct except case when then else end between like exists over partition window qualify interval
  asc desc nulls first last true false cast safe_cast extract using rows range unbounded preceding following current
  row recursive`);

/** Parts of times, which functions take. */
export const timeParts = words('microsecond millisecond second minute hour day week month quarter year');

const reserved: ReadonlySet<string> = new Set(reservedWords);

export function isReserved(word: string): boolean {
  return reserved.has(word.toLowerCase());
}

/** A name as a query writes it: quoted, if it must be. */
export function writtenName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name) && !isReserved(name)) return name;
  return `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}
