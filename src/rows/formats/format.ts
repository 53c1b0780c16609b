import type { ColumnBatch } from '../../sql/columns/column-batch.ts';
import type { Column } from '../../sql/values/type.ts';
import type { Row } from '../../sql/values/value.ts';
import type { JsonStyle } from './render/json-style.ts';

/** The formats of results. */
export const formatNames = ['json', 'ndjson', 'csv', 'parquet', 'arrow'] as const;

export type FormatName = (typeof formatNames)[number];

/** A format for the rows of a result. */
interface FormatOf<Source extends 'rows' | 'columns', Part> {
  readonly name: FormatName;
  /** What it is encoded from. */
  readonly source: Source;
  readonly contentType: string;
  /** The media types by which `Accept` asks for it. */
  readonly mediaTypes: readonly string[];
  /** Whether its bytes are compressed already. */
  readonly isCompressed: boolean;
  /**
   * Encodes rows, in pieces that take some milliseconds each. A piece is valid until the next one is asked for: millions
   * of rows in new memory would be as much garbage.
   *
   * @throws the errors of `parts`
   */
  encode(columns: readonly Column[], parts: AsyncIterable<Part>, style: JsonStyle): AsyncIterable<Uint8Array>;
}

/** The format of ordinary answers, which are made of cached rows. */
export type RowFormat = FormatOf<'rows', readonly Row[]>;

/** A format for exports, which come as columns. */
export type ColumnFormat = FormatOf<'columns', ColumnBatch>;

export type Format = RowFormat | ColumnFormat;
