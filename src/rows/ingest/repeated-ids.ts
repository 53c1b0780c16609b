import { idColumn } from '../../definitions/sources/row-key.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { nullMark, valueSeparator } from '../../engines/duckdb/store/insert/flat-batch.ts';
import type { ParsedRows } from '../../engines/duckdb/store/insert/row-batch.ts';
import { flatColumns } from '../../engines/duckdb/store/tables/flat-layout.ts';

/** More ids would take too much memory. */
const maxCompared = 2_000_000;

/** Counts the rows whose id another row had before them. */
export class RepeatedIds {
  readonly #index: number;
  readonly #known = new Set<string>();
  #count = 0;

  constructor(source: Source) {
    const name = idColumn(source)?.name;
    this.#index =
      name === undefined ? -1 : flatColumns(source.columns).findIndex((each) => each.name === name);
  }

  /** How many, among the first rows at least. */
  get count(): number {
    return this.#count;
  }

  add(part: ParsedRows): void {
    if (this.#index === -1) return;
    for (const id of this.#idsOf(part)) {
      if (id === '' || id === nullMark) continue;
      if (this.#known.has(id)) this.#count += 1;
      else if (this.#known.size < maxCompared) this.#known.add(id);
    }
  }

  #idsOf(part: ParsedRows): readonly string[] {
    if ('ids' in part) return part.ids as readonly string[];
    const ids = 'columns' in part ? part.columns[this.#index] : undefined;
    if (typeof ids === 'boolean') return Array.from({ length: part.rows }, () => String(ids));
    return ids?.split(valueSeparator) ?? [];
  }
}
