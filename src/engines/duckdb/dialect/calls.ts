/** The kinds of calls in a piece of SQL that affect where it may be placed. */
interface Calls {
  /**
   * Functions in JavaScript, also those in macros. Claims don't count: they are short, and most queries contain them
   * for rows that never occur.
   */
  readonly js: boolean;
  readonly macro: boolean;
  readonly subquery: boolean;
  /** Functions whose value differs each time they are evaluated. */
  readonly volatile: boolean;
}

/** A piece of SQL and the calls in it. */
export interface Sql {
  readonly sql: string;
  readonly calls: Calls;
}

const none: Calls = { js: false, macro: false, subquery: false, volatile: false };

/** SQL without calls: names of columns and constants. */
export function plain(sql: string): Sql {
  return { sql, calls: none };
}

/** The calls in the SQL that is currently being written. Writing is synchronous, so one variable suffices. */
let noted = none;

/**
 * Records a call in the SQL that is being written. Each emission of such a call records it, even if its SQL may be
 * discarded.
 */
export function noteCall(call: keyof Calls): void {
  if (!noted[call]) noted = { ...noted, [call]: true };
}

function noteAll({ js, macro, subquery, volatile }: Calls): void {
  if (js) noteCall('js');
  if (macro) noteCall('macro');
  if (subquery) noteCall('subquery');
  if (volatile) noteCall('volatile');
}

/** The SQL of an existing piece, whose calls are recorded for the SQL that is being written. */
export function placed({ sql, calls }: Sql): string {
  noteAll(calls);
  return sql;
}

/** Runs `write` and returns the calls recorded meanwhile. They are also recorded for the surrounding SQL. */
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
