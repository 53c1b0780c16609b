/** What a line of a log says: texts, numbers, or an object of parameters. Absent values are left out, or null if the line names them. */
export type LogRecord = Readonly<Record<string, unknown>>;

/** Reads the lines of one file, in order. Undefined for a line that is not in the form. */
export type LogReader = (line: string) => LogRecord | undefined;
