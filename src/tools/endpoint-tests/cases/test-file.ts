import { z } from 'zod';
import { errorCatalogue } from '../../../base/errors/errors.ts';
import type { Problem } from '../../../base/errors/problem.ts';
import type { Json } from '../../../base/text/exact-json.ts';
import { type JsonStyle, jsonChoices, timestampChoices } from '../../../rows/formats/render/json-style.ts';
import { parseTimestamp } from '../../../sql/values/timestamp-text.ts';

// Every value stays as written, without transforms: `z.toJSONSchema(testFileSchema)` describes the file to editors. The
// texts of `describe` are what they show.

const rowSchema = z.record(z.string(), z.unknown());

const givenRowsSchema = z
  .record(
    z.string(),
    z.union(
      [
        z.array(rowSchema),
        z.strictObject({ file: z.string().min(1).describe('The path of the file of rows.') }),
      ],
      {
        error: 'expected a list of rows, or `file:` with the path of a file of rows',
      },
    ),
  )
  .describe('Rows by source: a list of rows, or a file of NDJSON, JSON or CSV, relative to this file.');

const momentSchema = z
  .string()
  .refine((text) => parseTimestamp(text) !== undefined, {
    error: ({ input }) => `expected a time such as 2026-11-20T12:00:00Z, got ${JSON.stringify(input)}`,
  })
  .describe('What the clock shows to the query, such as 2026-11-20T12:00:00Z.');

const partsSchema = z.array(rowSchema).min(1);

const notACount = 'expected a whole number from 0';
const countSchema = z.int(notACount).min(0, notACount);

/** The kinds of expectation, with the keys of each. A case has keys of one kind. */
export const expectationKinds = {
  rows: ['rows', 'ordered', 'partial'],
  error: ['error'],
  properties: ['empty', 'count', 'minCount', 'maxCount', 'columns', 'contains', 'excludes', 'truncated'],
} as const;

/** A key whose value is a property of the result. */
export type ResultProperty = (typeof expectationKinds.properties)[number];

/** The form of an expected error. */
export const errorSchema = z.strictObject({
  code: z
    .enum(Object.keys(errorCatalogue), {
      error: ({ input }) => `unknown error code ${JSON.stringify(input)}`,
    })
    .optional()
    .describe('The code of the error.'),
  message: z.string().min(1).optional().describe('A part of the message of the error.'),
  parameter: z.string().min(1).optional().describe('The parameter that the error names.'),
});

const expectationSchema = z
  .strictObject({
    rows: z.array(rowSchema).optional().describe('The rows of the result, as REST answers them.'),
    ordered: z
      .boolean()
      .optional()
      .describe('Whether the rows have to come in this order. By default, they have.'),
    partial: z
      .boolean()
      .optional()
      .describe('Whether columns that a row does not name may have any value. By default, they may not.'),
    error: errorSchema.optional().describe('The error that callers get.'),
    empty: z.boolean().optional().describe('Whether the result has no rows.'),
    count: countSchema.optional().describe('The number of rows.'),
    minCount: countSchema.optional().describe('The smallest number of rows.'),
    maxCount: countSchema.optional().describe('The largest number of rows.'),
    columns: z.array(z.string()).optional().describe('The names of all columns, in order.'),
    contains: partsSchema
      .optional()
      .describe('Rows that are among those of the result. Other columns may have any value.'),
    excludes: partsSchema
      .optional()
      .describe('Rows that are not among those of the result. Other columns may have any value.'),
    truncated: z.boolean().optional().describe('Whether the result is cut off at maxRows.'),
  })
  .describe('What the case expects: rows, an error or properties of the result.');

const caseSchema = z
  .strictObject({
    name: z.string().min(1).describe('What is so, such as "counts requests by area".'),
    skip: z.string().min(1).optional().describe('Why the case is not run.'),
    now: momentSchema.optional(),
    rows: givenRowsSchema
      .optional()
      .describe('Rows by source, instead of the rows that all cases share for these sources.'),
    addRows: givenRowsSchema
      .optional()
      .describe('Rows by source, besides the rows that all cases share for these sources.'),
    parameters: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The parameters of the call. A parameter that is absent, or null, is omitted.'),
    sql: z.string().min(1).optional().describe("A caller's query over the endpoint's tables, in GoogleSQL."),
    lql: z.string().min(1).optional().describe("A caller's query over the endpoint's tables, in LQL."),
    expect: expectationSchema,
  })
  .describe('A call of the endpoint, and what it has to answer.');

/** The form of a test file, `X.test.yaml` beside the endpoint `X.sql`. */
export const testFileSchema = z
  .strictObject({
    now: momentSchema.optional(),
    timestamps: z
      .enum(timestampChoices)
      .optional()
      .describe('How rows have TIMESTAMPs, as the parameter of REST: micros (default) or iso.'),
    json: z
      .enum(jsonChoices)
      .optional()
      .describe('How rows have JSON columns, as the parameter of REST: text (default) or inline.'),
    rows: givenRowsSchema.optional(),
    cases: z.array(caseSchema).min(1, 'expected at least one case').describe('The calls of the endpoint.'),
  })
  .describe('Tests of an endpoint.');

export type TestFileData = z.infer<typeof testFileSchema>;
export type CaseData = TestFileData['cases'][number];
export type Expectation = CaseData['expect'];

type KeyOfRows = {
  [Key in keyof Expectation]-?: NonNullable<Expectation[Key]> extends readonly z.infer<typeof rowSchema>[]
    ? Key
    : never;
}[keyof Expectation];

const keyHasRows: Readonly<Record<KeyOfRows, true>> = { rows: true, contains: true, excludes: true };

/** The keys of an expectation whose values are rows. */
export const expectedRowsKeys = Object.keys(keyHasRows) as readonly KeyOfRows[];

export type ExpectationKind = keyof typeof expectationKinds;
export type GivenRows = z.infer<typeof givenRowsSchema>;

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
