import type { Column } from '../../sql/type.ts';
import type { Row } from '../../sql/value.ts';
import type { JsonStyle } from '../render/json-style.ts';

/** The formats of results. */
export const formatNames = ['json', 'ndjson', 'csv', 'parquet', 'arrow'] as const;

export type FormatName = (typeof formatNames)[number];

/** A format for the rows of a result. */
export interface Format {
  readonly name: FormatName;
  readonly contentType: string;
  /** The media types by which `Accept` asks for it. */
  readonly mediaTypes: readonly string[];
  /** Whether its bytes are compressed already. */
  readonly isCompressed: boolean;
  /**
   * Encodes rows, in pieces that take some milliseconds each.
   *
   * @throws the errors of `rows`
   */
  encode(
    columns: readonly Column[],
    rows: AsyncIterable<readonly Row[]>,
    style: JsonStyle,
  ): AsyncIterable<Uint8Array>;
}
