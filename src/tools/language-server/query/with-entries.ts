import { type Group, isName, isSymbol, isWord, type Part, type QueryToken } from './part.ts';
import { nameOf } from './read-parts.ts';

/** An entry of a WITH clause. */
export interface WithEntry {
  readonly name: string;
  /** Its name, as written. */
  readonly token: QueryToken;
  /** The query in its brackets. */
  readonly body: Group;
}

/** The entries of the WITH clause that the parts of a query begin with, and the parts after it. */
export function withEntries(parts: readonly Part[]): {
  readonly entries: readonly WithEntry[];
  readonly rest: readonly Part[];
} {
  const entries: WithEntry[] = [];
  if (!isWord(parts[0], 'WITH')) return { entries, rest: parts };
  let next = isWord(parts[1], 'RECURSIVE') ? 2 : 1;
  for (;;) {
    const token = parts[next];
    const name = nameOf(token);
    const body = parts[next + 2];
    if (!isName(token) || name === undefined) break;
    if (!isWord(parts[next + 1], 'AS') || body?.kind !== 'group') break;
    entries.push({ name, token, body });
    next += 3;
    if (!isSymbol(parts[next], ',')) break;
    next += 1;
  }
  return { entries, rest: parts.slice(next) };
}
