/** What SQL may have in it that matters to those who place it. */
export type Call =
  /** A function in JavaScript, called by itself or in a macro. Claims are none: they are short, and most queries have them for rows that never come. */
  'js' | 'macro' | 'subquery';

/** A piece of SQL, and what it calls. */
export interface Sql {
  readonly sql: string;
  readonly calls: ReadonlySet<Call>;
}

const none: ReadonlySet<Call> = new Set();

/** SQL that calls nothing: names of columns and constants. */
export function plain(sql: string): Sql {
  return { sql, calls: none };
}

/** What was noted for the SQL that is being written. Writing is synchronous, so there is one such place. */
let noted = new Set<Call>();

/** Notes that the SQL that is being written has such a call. Whoever writes one does that, also where the SQL isn't used in the end. */
export function noteCall(call: Call): void {
  noted.add(call);
}

/** The SQL of a piece that was written before, to be put into what is being written. */
export function placed({ sql, calls }: Sql): string {
  for (const call of calls) noted.add(call);
  return sql;
}

/** Writes SQL, and tells what was noted meanwhile. It is noted for the SQL around it as well. */
export function withCalls<Written>(
  write: () => Written,
): readonly [written: Written, calls: ReadonlySet<Call>] {
  const around = noted;
  const calls = new Set<Call>();
  noted = calls;
  try {
    return [write(), calls];
  } finally {
    noted = around;
    for (const call of calls) around.add(call);
  }
}
