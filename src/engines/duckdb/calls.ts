/** What SQL may call that matters to those who place it. */
export interface Calls {
  /** A function in JavaScript, by itself or in a macro. Claims don't count: they are short, and most queries have them for rows that never come. */
  readonly js: boolean;
  readonly macro: boolean;
  readonly subquery: boolean;
}

/** A piece of SQL, and what it calls. */
export interface Sql {
  readonly sql: string;
  readonly calls: Calls;
}

const none: Calls = { js: false, macro: false, subquery: false };

/** SQL that calls nothing: names of columns and constants. */
export function plain(sql: string): Sql {
  return { sql, calls: none };
}

/** What was noted for the SQL that is being written. Writing is synchronous, so there is one such place. */
let noted = none;

/** Notes that the SQL that is being written has such a call. Whoever writes one does that, also where the SQL isn't used in the end. */
export function noteCall(call: keyof Calls): void {
  if (!noted[call]) noted = { ...noted, [call]: true };
}

function noteAll({ js, macro, subquery }: Calls): void {
  if (js) noteCall('js');
  if (macro) noteCall('macro');
  if (subquery) noteCall('subquery');
}

/** The SQL of a piece that was written before, to be put into what is being written. */
export function placed({ sql, calls }: Sql): string {
  noteAll(calls);
  return sql;
}

/** Writes SQL, and tells what was noted meanwhile. It is noted for the SQL around it as well. */
export function withCalls<Written>(write: () => Written): readonly [written: Written, calls: Calls] {
  const around = noted;
  noted = none;
  try {
    return [write(), noted];
  } finally {
    const calls = noted;
    noted = around;
    noteAll(calls);
  }
}
