import type { Problem } from '../../../base/errors/problem.ts';
import type { Json } from '../../../base/text/exact-json.ts';
import type { JsonStyle } from '../../../rows/formats/render/json-style.ts';
import type { Expectation, GivenRows } from './test-file.ts';

/** A place in a file, from 1. Columns count code points. */
export interface FilePlace {
  readonly line: number;
  readonly column: number;
}

/** Rows of a source as a test file gives them. */
export interface GivenSourceRows {
  readonly source: string;
  readonly given: GivenRows[string];
  /** Its path in the file, such as `['rows', 'edge_logs']`. */
  readonly path: readonly (string | number)[];
}

/** A case of a test file. */
export interface TestCase {
  readonly name: string;
  /** Its position in the file, from 0. */
  readonly index: number;
  readonly place: FilePlace;
  /** Why it isn't run. */
  readonly skip?: string;
  /** What its clock shows, in microseconds since the epoch. Undefined if the file doesn't say it. */
  readonly now?: bigint;
  /** All rows that it reads. Sources can occur twice. */
  readonly rows: readonly GivenSourceRows[];
  readonly parameters: ReadonlyMap<string, Json>;
  /** A caller's query, instead of the stored one. */
  readonly query?: { readonly language: 'sql' | 'lql'; readonly text: string };
  readonly expectation: Expectation;
  /** How the rows of the result are rendered. */
  readonly style: JsonStyle;
}

/** A test file that was read. */
export interface TestFile {
  readonly file: string;
  readonly text: string;
  /** Empty if the file has errors. */
  readonly cases: readonly TestCase[];
  readonly problems: readonly Problem[];
  /** The place of a key or of its value; for an absent key that of its nearest parent. */
  locate(path: readonly (string | number)[], what?: 'key' | 'value'): FilePlace;
}
