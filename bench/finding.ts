/** A result of the benchmark. */
export interface Finding {
  readonly part: string;
  readonly what: string;
  /** What was measured, in words and numbers. */
  readonly detail: string;
  readonly result: string;
  /** The target. Empty if there is none. */
  readonly target: string;
  /** Whether the result meets the target. */
  readonly isMet: boolean;
}

const headings = ['', 'what', 'measured', 'result', 'target', ''];

/** Formats the findings as a table for a terminal. */
export function formatFindings(findings: readonly Finding[]): string {
  const rows = findings.map(({ part, what, detail, result, target, isMet }) => [
    part,
    what,
    detail,
    result,
    target,
    target === '' ? '' : isMet ? 'ok' : 'MISSED',
  ]);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return [line(headings), rule, ...rows.map(line)].join('\n');
}

/** Milliseconds with about three digits. */
export function formatMs(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0)} ms`;
}
