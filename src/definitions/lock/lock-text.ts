import { type Problem, positionAt } from '../../base/errors/problem.ts';
import { JsonMistake, LocatedJson } from '../../base/text/located-json.ts';
import { plainIssue } from '../../base/text/plain-issue.ts';
import { type LockedVersion, lockedVersion } from './locked-version.ts';

/** A version in a lock file. */
export interface LockLine {
  readonly locked: LockedVersion;
  /** From 1. */
  readonly line: number;
}

const heading =
  '# What clients rely on, a line for each version of an endpoint. `endpoint-gateway check` writes this file. Commit it.';

/** The lines that git writes where both sides of a merge have changed. */
const conflict = /^(?:<{7}|\|{7}|={7}|>{7})(?:\s|$)/;

/** The text of a lock file: a line of JSON for each version, by name and number. Merges of different endpoints are sorted again. */
export function lockText(versions: readonly LockedVersion[]): string {
  const lines = [...versions].sort(byNameAndVersion).map((version) => JSON.stringify(version));
  return `${[heading, ...lines].join('\n')}\n`;
}

/** The order of versions in a lock file. */
export function byNameAndVersion(a: LockedVersion, b: LockedVersion): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.version - b.version;
}

/** Reads a lock file. All of its errors are reported at once. */
export function readLock(
  file: string,
  text: string,
): { readonly lines: readonly LockLine[]; readonly problems: readonly Problem[] } {
  const lines: LockLine[] = [];
  const problems: Problem[] = [];
  const known = new Map<string, number>();
  for (const [index, written] of text.split('\n').entries()) {
    const line = index + 1;
    const content = written.replace(/\r$/, '');
    if (content.trim() === '' || content.startsWith('#')) continue;
    const report = (offset: number, problem: string) =>
      problems.push({ file, line, column: positionAt(content, offset).column, text: problem });
    if (conflict.test(content)) {
      report(0, 'A merge left a conflict here: keep the lines of both sides, and run the check again');
      continue;
    }
    const locked = readLine(content, report);
    if (locked === undefined) continue;
    const key = JSON.stringify([locked.name, locked.version]);
    const other = known.get(key);
    if (other === undefined) lines.push({ locked, line });
    else
      report(0, `Line ${other} has version ${locked.version} of "${locked.name}", too: remove one of them`);
    known.set(key, other ?? line);
  }
  return { lines, problems };
}

function readLine(
  content: string,
  report: (offset: number, text: string) => void,
): LockedVersion | undefined {
  try {
    const json = new LocatedJson(content);
    const parsed = lockedVersion.safeParse(json.value, { reportInput: true, error: plainIssue });
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    report(json.offsetOf(path), `${path.length === 0 ? 'This line' : path.join('.')}: ${issue?.message}`);
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    report(error.offset, `This line is not JSON: ${error.message}`);
  }
  return undefined;
}
