import { didYouMean } from '../../../base/text/suggest.ts';
import { type Mention, pathsOf } from './mentions.ts';

/** A query with what it may read. */
interface Node {
  /** The path by which others read it. Undefined if none can. */
  readonly path: string | undefined;
  readonly mentions: readonly Mention[];
}

/** Which stored queries may read which. */
export class QueryGraph<Query extends Node> {
  readonly #byPath: ReadonlyMap<string, Query>;

  /** @param queries of two with one path, the first is read */
  constructor(queries: readonly Query[]) {
    const named = queries.flatMap((query) =>
      query.path === undefined ? [] : [[query.path, query] as const],
    );
    this.#byPath = new Map([...named].reverse());
  }

  /** The queries that a query may read, and the problems of those that it can't, by their paths. */
  readBy(query: Query): ReadonlyMap<string, Query | { readonly problem: string }> {
    const found = new Map<string, Query | { readonly problem: string }>();
    for (const mention of query.mentions) {
      const paths = pathsOf(mention);
      for (const path of paths) {
        const other = this.#byPath.get(path);
        if (other !== undefined) found.set(path, this.#circle(query, other) ?? other);
      }
      const [path = ''] = paths;
      if (!paths.some((each) => found.has(each))) found.set(path, { problem: this.#missing(path) });
    }
    return found;
  }

  #missing(path: string): string {
    return `There is no ${path}${didYouMean(path, [...this.#byPath.keys()])}`;
  }

  /** Why a query can't read another that reads it. */
  #circle(query: Query, other: Query): { readonly problem: string } | undefined {
    const way = this.#way(other, query, new Set());
    if (way === undefined) return undefined;
    const names = [query, ...way].map(({ path, ...rest }) => path ?? String('file' in rest ? rest.file : ''));
    return { problem: `A query can't read itself: ${names.join(' → ')}` };
  }

  /** The queries from one to another that it reads, both included. */
  #way(from: Query, to: Query, seen: Set<Query>): readonly Query[] | undefined {
    if (from === to) return [from];
    if (seen.has(from)) return undefined;
    seen.add(from);
    for (const next of from.mentions.flatMap(pathsOf)) {
      const query = this.#byPath.get(next);
      const rest = query && this.#way(query, to, seen);
      if (rest !== undefined) return [from, ...rest];
    }
    return undefined;
  }
}
