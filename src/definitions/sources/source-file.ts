import { z } from 'zod';
import {
  conflictPolicies,
  isOwnSource,
  type SourceSettings,
  timesOutOfRangePolicies,
  unknownFieldPolicies,
} from './source.ts';
import { type TableField, tableField } from './table-field.ts';

/** The content of a source's file. */
export interface SourceFile extends SourceSettings {
  readonly fields: readonly TableField[];
}

/** Parses a table schema as `bq show --schema` prints it. */
export const tableSchema = z.array(tableField, {
  error: (issue) => (Array.isArray(issue.input) ? undefined : 'a table schema is an array of fields'),
});

const byDay = z.literal('DAY', 'expected "DAY"').optional();

/** What a source takes the place of can't be one of the gateway's own: their rows are written by nobody else. */
const isDeclared = (name: string) => !isOwnSource({ name: name.toLowerCase() });
const ofTheGateway = 'names that begin with "gateway." are those of the gateway itself';

/** Names that collectors use: they may contain dots and hyphens. */
const aliasName = z
  .string()
  .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_.:/-]{0,254}$/u, 'expected a name of letters, digits and _ . : / -')
  .refine(isDeclared, ofTheGateway);

/** A path through records: `metadata.time`. */
const path = z
  .string()
  .regex(/^[^.]+(?:\.[^.]+)*$/, 'expected a path of field names, with dots between them');

const maxRetentionDays = 36_500;
const days = `expected a whole number of days from 1 to ${maxRetentionDays}`;

const maxSeconds = 36_500 * 86_400;
const lateForm = `expected a whole number of seconds from 0 to ${maxSeconds}`;
const sliceForm = `expected a whole number of seconds from 1 to ${maxSeconds}`;

/** https://cloud.google.com/bigquery/docs/clustered-tables#limitations */
const maxClusteringColumns = 4;
const clusteringForm = `expected an array of 1 to ${maxClusteringColumns} names of columns`;

/** Parses the file of a source that is an object. */
export const sourceFile = z
  .strictObject({
    fields: tableSchema.describe('The columns, as `bq show --schema` prints them.'),
    wildcard: byDay.describe('The rows are in a table per day, which queries read as `logs.<source>_*`.'),
    partitioned: byDay.describe('The table is partitioned by the day of ingestion.'),
    was: z
      .string()
      .refine(isDeclared, ofTheGateway)
      .optional()
      .describe('What the source was called before: rows that are stored under that name are its own.'),
    aliases: z
      .array(aliasName, 'expected an array of names')
      .default([])
      .describe('Other names by which rows can be sent to the source.'),
    retentionDays: z
      .int(days)
      .min(1, days)
      .max(maxRetentionDays, days)
      .optional()
      .describe('Days after which rows are deleted from the embedded store.'),
    clustering: z
      .array(z.string(), clusteringForm)
      .min(1, clusteringForm)
      .max(maxClusteringColumns, clusteringForm)
      .optional()
      .describe(
        'Columns by which most queries filter: the embedded store keeps the rows of a time that have the same values together.',
      ),
    unknownFields: z
      .enum(unknownFieldPolicies, { error: `one of ${unknownFieldPolicies.join(', ')}` })
      .default('reject')
      .describe('What happens to an arriving event with a field that the source lacks.'),
    conflicts: z
      .enum(conflictPolicies, { error: `one of ${conflictPolicies.join(', ')}` })
      .optional()
      .describe(
        'What happens to a value of an arriving event that contradicts its field: the event is rejected, or the value goes into the column other_fields.',
      ),
    timestamp: z
      .union([path.transform((only) => [only]), z.tuple([path], path)], {
        error: 'expected the name of a column, a path of field names, an array of them, or null',
      })
      .nullable()
      .optional()
      .describe(
        'The column by which rows are ordered (TIMESTAMP, DATETIME or DATE), or the path of the field of an arriving event that contains its time, or several: the first present one counts. By default, the column timestamp. null, or a source without such a column: a reference table.',
      ),
    id: z
      .string('expected the name of a column, or null')
      .nullable()
      .optional()
      .describe(
        'The column that identifies a row, of any type that can be compared. By default, the column id. null, or a source without such a column: rows are not deduplicated.',
      ),
    unique: z
      .array(z.string(), 'expected an array of names of columns')
      .optional()
      .describe(
        'Other columns of which no two rows have the same value: results that contain one of them can be read in pages.',
      ),
    lateSeconds: z
      .int(lateForm)
      .min(0, lateForm)
      .max(maxSeconds, lateForm)
      .optional()
      .describe(
        'Seconds after the end of a day after which BigQuery has all of its rows: aggregates of them are then kept as slices. By default, 86400, a day.',
      ),
    sliceSeconds: z
      .int(sliceForm)
      .min(1, sliceForm)
      .max(maxSeconds, sliceForm)
      .optional()
      .describe(
        'Seconds after which slices of rows of BigQuery are made again. By default, 2592000, 30 days.',
      ),
    requireTimeBound: z
      .boolean('expected true or false')
      .optional()
      .describe(
        'Whether BigQuery refuses queries that read the source without a lower bound of its time. It must be one table with a TIMESTAMP that orders rows.',
      ),
    timesOutOfRange: z
      .enum(timesOutOfRangePolicies, { error: `one of ${timesOutOfRangePolicies.join(', ')}` })
      .optional()
      .describe(
        'What happens to an arriving event whose time is too far in the past or in the future: it is rejected, or stored with the time of arrival.',
      ),
    rename: z
      .record(path, path, { error: 'expected an object of paths' })
      .default({})
      .transform((paths) => Object.entries(paths).map(([from, to]) => ({ from, to })))
      .describe('Paths in arriving events, and the paths of the source that they become.'),
  })
  .refine(({ wildcard, partitioned }) => wildcard === undefined || partitioned === undefined, {
    message: 'a source is either wildcard or partitioned',
  })
  .refine(({ wildcard, requireTimeBound }) => wildcard === undefined || !requireTimeBound, {
    message: 'requireTimeBound is for sources of one table, not for a wildcard',
  })
  .transform(
    ({
      was,
      wildcard,
      partitioned,
      retentionDays,
      clustering,
      conflicts,
      timestamp,
      id,
      unique,
      lateSeconds,
      sliceSeconds,
      requireTimeBound,
      timesOutOfRange,
      ...others
    }): SourceFile => ({
      ...others,
      ...(was && { was }),
      ...(wildcard && { wildcard }),
      ...(partitioned && { partitioned }),
      ...(retentionDays && { retentionDays }),
      ...(clustering && { clustering }),
      ...(conflicts && { conflicts }),
      ...(timestamp !== undefined && { timestamp }),
      ...(id !== undefined && { id }),
      ...(unique && { unique }),
      ...(lateSeconds !== undefined && { lateSeconds }),
      ...(sliceSeconds !== undefined && { sliceSeconds }),
      ...(requireTimeBound && { requireTimeBound }),
      ...(timesOutOfRange === 'arrival' && { timesOutOfRange }),
    }),
  );
