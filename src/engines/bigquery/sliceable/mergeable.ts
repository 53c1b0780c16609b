import type { SqlType } from '../../../sql/values/type.ts';
import { exactTypes } from '../../engine/exact-types.ts';

/** How an aggregate of rows is made from those of parts of the rows. */
export interface Mergeable {
  /** The aggregate of the parts' aggregates. */
  readonly merge: string;
  /** The types of values for which it is exactly the same. Undefined for all. */
  readonly types?: ReadonlySet<SqlType['kind']>;
}

const numbers = new Set<SqlType['kind']>(['INT64', 'NUMERIC', 'BIGNUMERIC']);

const again = (merge: string, types?: Mergeable['types']): Mergeable => ({ merge, ...(types && { types }) });

/** Aggregates, by their names in the resolved tree, that can be made from those of parts of the rows. */
export const mergeableAggregates: ReadonlyMap<string, Mergeable> = new Map([
  ['$count_star', again('SUM')],
  ['count', again('SUM')],
  ['countif', again('SUM')],
  ['sum', again('SUM', numbers)],
  ['min', again('MIN', exactTypes)],
  ['max', again('MAX', exactTypes)],
  ['logical_and', again('LOGICAL_AND')],
  ['logical_or', again('LOGICAL_OR')],
  ['bit_and', again('BIT_AND', numbers)],
  ['bit_or', again('BIT_OR', numbers)],
  ['bit_xor', again('BIT_XOR', numbers)],
]);

/** Types of which an average is the sum, divided by the number. */
export const averagedTypes: ReadonlySet<SqlType['kind']> = new Set<SqlType['kind']>(['INT64', 'NUMERIC']);
