import { AnalyzerError } from './error.ts';

/**
 * The longest name that is sent to the analyzer. BigQuery's own limit for a column is 300 characters. The analyzer
 * quotes an unknown name in full in its error, and gRPC can't carry an error above 64 KiB.
 */
const maxNameLength = 1024;

/**
 * Skips literals and comments, in which long runs of letters are normal; the last alternative is a name. Unclosed ones
 * extend to the end, which keeps the time linear.
 */
const tokens =
  /[rRbB]{0,2}(?:"""(?:\\.|[^\\])*?(?:"""|\\?$)|'''(?:\\.|[^\\])*?(?:'''|\\?$)|"(?:\\.|[^"\\\r\n])*"?|'(?:\\.|[^'\\\r\n])*'?)|--[^\n]*|#[^\n]*|\/\*.*?(?:\*\/|$)|(`(?:\\.|[^`\\\n])*`?|[A-Za-z_0-9]+)/gs;

/** @throws AnalyzerError for a name that is too long */
export function checkNameLengths(sql: string): void {
  if (sql.length <= maxNameLength) return;
  for (const match of sql.matchAll(tokens)) {
    const name = match[1];
    if (name === undefined || name.length <= maxNameLength) continue;
    const before = sql.slice(0, match.index);
    const line = before.split('\n').length;
    const column = [...before.slice(before.lastIndexOf('\n') + 1)].length + 1;
    throw new AnalyzerError(`Name of ${name.length} characters: at most ${maxNameLength} are allowed`, {
      line,
      column,
    });
  }
}
