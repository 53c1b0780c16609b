import type { TextRange } from '../../../sql/plan/parse-tree.ts';
import type { Column } from '../../../sql/values/type.ts';
import type { LimitPlace } from '../text/row-limit.ts';
import type { TextEdit } from '../text/text-edits.ts';
import type { TimedSource } from './sliceable.ts';
import type { TextPiece } from './text-piece.ts';

/** How a query can be answered from parts of its rows. Plain data, because it is made in another thread. */
export interface PreparedSlices {
  /** The query, in which all places are. */
  readonly sql: string;
  readonly sources: readonly TimedSource[];
  /** The columns of the source that are read. */
  readonly read: readonly string[];
  /** The edits that name tables. */
  readonly tables: readonly TextEdit[];
  readonly limit: LimitPlace;
  /** Edits that come last at equal positions. */
  readonly after: readonly TextEdit[];
  /** The SELECT of the parts. */
  readonly part: readonly TextPiece[];
  readonly columns: readonly Column[];
  /** What the relation of parts replaces. */
  readonly from: TextRange;
  /** The other edits that merge parts. */
  readonly edits: readonly TextEdit[];
}
