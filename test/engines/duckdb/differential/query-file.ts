import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('queries/', import.meta.url);

/** Stands between a query that the evaluator can't run and one that it can and that means the same. */
const meaningMark = /\n-- as\n/;

/** Stands at the head of an entry whose query is put behind {@link storedCtes}. */
const storedMark = '-- stored';

/** CTEs in the manner of a stored query, with its parameters. */
const storedCtes = readFileSync(new URL('stored-ctes.sql', import.meta.url), 'utf8').trim();

interface Entry {
  readonly name: string;
  readonly sql: string;
  /** A query of the same rows that the evaluator can run. */
  readonly meaning?: string;
}

/** The entries of the data files, separated by empty lines. Topics have files of their own, in folders as well. */
function* readEntries(files: (name: string) => boolean): Generator<Entry> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
  for (const file of names.filter((name) => name.endsWith('.sql') && files(name)).sort()) {
    const entries = readFileSync(new URL(file, folder), 'utf8').split(/\n\s*\n/);
    for (const entry of entries.map((text) => text.trim()).filter((text) => text !== '')) {
      const stored = entry.startsWith(storedMark);
      const [query = '', meaning] = (stored ? entry.slice(storedMark.length).trim() : entry).split(
        meaningMark,
      );
      yield {
        name: `${file.replace('.sql', '')}: ${query.replace(/\s+/g, ' ')}`,
        sql: stored ? `${storedCtes}\n${query}` : query,
        ...(meaning !== undefined && { meaning }),
      };
    }
  }
}

/**
 * The queries of the data files. By `file: query`, so that a test's name says which one it is.
 *
 * @param files chooses files by their names, such as `dates.sql` and `corpus/funnels.sql`
 */
export function readQueries(files: (name: string) => boolean): ReadonlyMap<string, string> {
  return new Map([...readEntries(files)].map(({ name, sql }) => [name, sql]));
}

/** For queries that the evaluator can't run, one that it can and that means the same, if the file has one. */
export function readMeanings(): ReadonlyMap<string, string> {
  const entries = [...readEntries(() => true)];
  return new Map(
    entries.flatMap(({ sql, meaning }) => (meaning === undefined ? [] : [[sql, meaning] as const])),
  );
}

/** Whether a file has the queries that were written after common ones, over tables of their own. */
export const isCorpus = (file: string) => file.startsWith('corpus/');
