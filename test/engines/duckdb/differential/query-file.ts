import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('queries/', import.meta.url);

/** Stands at the head of an entry whose query is put behind {@link storedCtes}. */
const storedMark = '-- stored';

/** CTEs in the manner of a stored query, with its parameters. */
const storedCtes = readFileSync(new URL('stored-ctes.sql', import.meta.url), 'utf8').trim();

/**
 * The queries of the data files, one an entry, entries separated by empty lines. By `file: query`, so that a
 * test's name says which one it is.
 */
export function readQueries(files: (name: string) => boolean): ReadonlyMap<string, string> {
  const queries = new Map<string, string>();
  for (const file of readdirSync(folder).filter(files).sort()) {
    const entries = readFileSync(new URL(file, folder), 'utf8').split(/\n\s*\n/);
    for (const entry of entries.map((text) => text.trim()).filter((text) => text !== '')) {
      const stored = entry.startsWith(storedMark);
      const query = stored ? entry.slice(storedMark.length).trim() : entry;
      const sql = stored ? `${storedCtes}\n${query}` : query;
      queries.set(`${file.replace('.sql', '')}: ${query.replace(/\s+/g, ' ')}`, sql);
    }
  }
  return queries;
}
