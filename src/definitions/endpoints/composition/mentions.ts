import { type Token, tokens } from '../../../sql/text/lexer.ts';
import { type QueryFolder, queryFolders } from './readable-query.ts';

/** A path in a text that may name a stored query. */
export interface Mention {
  readonly folder: QueryFolder;
  /** The names after the folder's, unquoted. */
  readonly names: readonly string[];
}

const anyFolder = new RegExp(`\\b(?:${queryFolders.join('|')})\\b`, 'i');

/**
 * The paths in a text that may name stored queries. It can be more than the text reads, as a column may have such a path, but
 * never less.
 *
 * @param sql may have any errors
 */
export function mentionsIn(sql: string): readonly Mention[] {
  if (!anyFolder.test(sql)) return [];
  const all = [...tokens(sql)];
  const found: Mention[] = [];
  for (const [index, token] of all.entries()) {
    const [first, ...names] = partsOf(nameOf(sql, token) ?? '');
    const folder = folderOf(first);
    if (folder === undefined || isSymbol(all[index - 1], '.')) continue;
    for (let next = index + 1; isSymbol(all[next], '.'); next += 2) {
      const name = nameOf(sql, all[next + 1]);
      if (name === undefined) break;
      names.push(name);
    }
    if (names.length > 0) found.push({ folder, names });
  }
  return found;
}

/** The names in the first name of a path, which can be quoted as a whole: `` `endpoints.orders` ``. */
export function partsOf(first: string): readonly string[] {
  const parts = first.split('.');
  return folderOf(parts[0]) === undefined ? [first] : parts;
}

/** The folder with this name, whose letter case is ignored. */
export function folderOf(name: string | undefined): QueryFolder | undefined {
  return queryFolders.find((folder) => folder === name?.toLowerCase());
}

/** The paths of the queries that a mention may mean: all of its names are one's name, or the last is that of a WITH entry. */
export function pathsOf({ folder, names }: Mention): readonly string[] {
  return [names, names.slice(0, -1)].filter(({ length }) => length > 0).map((each) => pathOf(folder, each));
}

/** The path of a query, of which names with dots can be written in parts. */
export function pathOf(folder: QueryFolder, names: readonly string[]): string {
  return [folder, ...names].join('.');
}

function isSymbol(token: Token | undefined, text: string): boolean {
  return token?.kind === 'symbol' && token.text === text;
}

function nameOf(sql: string, token: Token | undefined): string | undefined {
  if (token?.kind === 'word') return sql.slice(token.start, token.end);
  if (token?.kind === 'name') return token.text.slice(1, -1).replace(/\\(.)/gsu, '$1');
  return undefined;
}
