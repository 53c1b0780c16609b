import type { Analyzer } from '../../../sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../sql/analyzer/catalog.ts';
import type { SqlType } from '../../../sql/values/type.ts';
import type { ReadableQueries } from './readable-query.ts';

/** What composing a query requires. */
export interface Composing {
  readonly queries: ReadableQueries;
  readonly catalog: Catalog;
  /** The types of its own parameters. */
  readonly parameters: ReadonlyMap<string, SqlType>;
  readonly analyzer: Pick<Analyzer, 'analyze' | 'parse'>;
}
