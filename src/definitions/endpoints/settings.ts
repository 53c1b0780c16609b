import { z } from 'zod';
import { bytesExpected, parseSomeBytes } from '../../base/forms/bytes.ts';
import { queryClasses } from '../classes/query-class.ts';
import { labelKey, readLabelRules } from '../jobs/labels.ts';
import { bigquerySettings } from './bigquery-settings.ts';
import { checkRules } from './parameters/check-rules.ts';
import {
  highestMaxItems,
  notAType,
  parameterType,
  parameterTypeNames,
} from './parameters/endpoint-parameter.ts';
import { piiClasses } from './pii-class.ts';
import { withoutUndefined } from './without-undefined.ts';

const uuid = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;

/** Keys of a request that have a meaning of their own: no parameter may have such a name. */
export const reservedNames: ReadonlySet<string> = new Set([
  'sql',
  'lql',
  'api_key',
  'dry_run',
  'format',
  'timestamps',
  'json',
  'live',
  'tail',
  'tail_rows',
]);

/** The highest number of a version. */
export const highestVersion = 1_000_000;

/** The most older versions of an endpoint that are served. */
const highestKeep = 100;

const seconds = z.int().min(0).max(31_536_000);

/** Allowed values are compared as text: `values: [1, 2]` means "1" and "2". */
const allowedValue = z.union([
  z.string().min(1),
  z.number().transform(String),
  z.boolean().transform(String),
]);

const day = z
  .string()
  .refine((text) => /^\d{4}-\d\d-\d\d$/.test(text) && isDay(text), 'expected a day, such as 2027-01-31');

/** Whether there is such a day. JavaScript takes the 31st of February for the 3rd of March. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}

const graphqlName = z
  .string()
  .regex(
    /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/,
    'expected a GraphQL name: letters, digits and _, starting with neither a digit nor __',
  );

const columnSettings = z.strictObject({
  field: graphqlName.optional().describe('Its name in GraphQL, if it differs from the derived one.'),
  graphqlType: z
    .enum(['Int', 'Float'])
    .optional()
    .describe('Its type in GraphQL, for an INT64 whose values fit in 32 bits (Int) or 53 bits (Float).'),
  nullable: z
    .boolean()
    .default(true)
    .describe('Whether it can be NULL. If not, NULL is an error in GraphQL.'),
  description: z.string().optional().describe('What the column contains.'),
});

/** A text; numbers and booleans in YAML count as texts. */
const text = z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]);

const textOrTexts = z.union([text, z.array(text)], 'expected a text, or a list of texts for an array');

const parameterSettings = z
  .strictObject({
    type: z
      .enum(parameterTypeNames, { error: ({ input }) => notAType(input) })
      .default('STRING')
      .describe('Its GoogleSQL type.'),
    required: z
      .boolean()
      .default(false)
      .describe('Whether a call without it, or with an empty text or list, is refused.'),
    values: z
      .array(allowedValue)
      .min(1)
      .refine((values) => new Set(values).size === values.length, 'the same value occurs twice')
      .optional()
      .describe('The allowed values.'),
    default: textOrTexts.optional().describe('The value of a call without it.'),
    min: text.optional().describe('The lowest allowed value.'),
    max: text.optional().describe('The highest allowed value.'),
    pattern: z.string().optional().describe("A pattern in RE2's syntax that the whole text must match."),
    maxLength: z
      .int()
      .min(1)
      .optional()
      .describe('The maximum length: of a STRING in characters, of BYTES in bytes.'),
    maxItems: z
      .int()
      .min(1)
      .max(highestMaxItems)
      .optional()
      .describe('The maximum number of elements of an array.'),
    description: z.string().optional().describe('What the parameter means.'),
    argument: graphqlName.optional().describe('Its name in GraphQL, if it differs from the derived one.'),
    example: textOrTexts.optional().describe('A value for examples.'),
  })
  .superRefine(({ type, ...rules }, context) => {
    checkRules({ type: parameterType(type), ...withoutUndefined(rules) }, (path, message) =>
      context.addIssue({ code: 'custom', path: [...path], message }),
    );
  });

const parameterName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected letters, digits and _, not starting with a digit')
  .max(128)
  .refine(
    (name) => !reservedNames.has(name.toLowerCase()),
    'this name is reserved for another request parameter',
  );

/** The settings of an endpoint, written as YAML in the first block comment of its file. */
export const endpointSettings = z
  .strictObject({
    id: z
      .string('expected a UUID')
      .regex(uuid, 'expected a UUID')
      .transform((id) => id.toLowerCase())
      .describe('A UUID. Callers can use it instead of the name.'),
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .refine((name) => !uuid.test(name), 'a name that looks like a UUID cannot be called')
      .describe('The name that callers use. No other endpoint has it.'),
    description: z.string().default('').describe('What the endpoint returns.'),
    version: z
      .int()
      .min(1)
      .max(highestVersion)
      .default(1)
      .describe('The number of its version. A change that breaks clients needs a higher one.'),
    keep: z
      .int()
      .min(0)
      .max(highestKeep)
      .default(0)
      .describe(
        'How many older versions are served beside this one, from v<number>.sql in the folder with the name of its file.',
      ),
    deprecated: day
      .optional()
      .describe('The day since which clients should not call it. Older versions need one.'),
    sunset: day.optional().describe('The day on which it ends. Needs deprecated.'),
    maxRows: z.int().min(1).max(10_000).default(1000).describe('The maximum number of rows in a result.'),
    exportRows: z
      .int()
      .min(1)
      .max(100_000_000)
      .optional()
      .describe('The maximum number of rows in an export. By default, maxRows.'),
    maxScanBytes: z
      .union(
        [
          z.int().min(1),
          z
            .string()
            .regex(/^\d{1,16}(?:\.\d{1,9})? ?(?:B|[KMGT]i?B)?$/, bytesExpected)
            .refine((text) => parseSomeBytes(text) !== undefined, bytesExpected),
        ],
        bytesExpected,
      )
      .transform((given) => (typeof given === 'string' ? parseSomeBytes(given) : given))
      .optional()
      .describe(
        'The most bytes, such as 5000000 or 100GB, that a query may read. One that would read more is refused before it runs.',
      ),
    timeoutSeconds: z
      .number()
      .min(0.001)
      .max(3600)
      .optional()
      .describe('Seconds after which a query times out, including queue time.'),
    class: z
      .enum(queryClasses)
      .optional()
      .describe('The class of its queries: how they share the queue with others.'),
    cacheSeconds: seconds
      .default(0)
      .describe('Seconds for which a result may be reused. 0 disables caching.'),
    liveSeconds: z
      .int()
      .min(1)
      .max(3600)
      .default(5)
      .describe('Seconds between two results of a live answer, at least.'),
    warmSeconds: seconds
      .default(0)
      .describe(
        'The age in seconds at which a cached result is refreshed in the background. 0 disables refreshing. Must be less than cacheSeconds.',
      ),
    warm: z
      .array(z.record(z.string(), textOrTexts))
      .max(100)
      .default([])
      .describe(
        'Sets of parameters whose results are kept warm even if nobody requests them. Needs warmSeconds.',
      ),
    staleIfErrorSeconds: seconds
      .default(0)
      .describe(
        'Seconds after its expiry for which a result may be served when the engine fails. 0 disables this. Needs cacheSeconds.',
      ),
    unknownParameters: z
      .enum(['ignore', 'reject'])
      .optional()
      .describe(
        'What happens to REST calls with parameters that the endpoint does not declare. By default, as UNKNOWN_PARAMETERS says.',
      ),
    sandbox: z
      .boolean()
      .default(false)
      .describe('Whether callers may query the entries of the WITH clause as tables.'),
    filterable: z
      .boolean()
      .default(false)
      .describe('Whether callers may filter and order the rows of the result.'),
    operatorsOnly: z
      .boolean()
      .default(false)
      .describe('Whether only keys that may read all sources can call it.'),
    redactPii: z
      .boolean()
      .default(false)
      .describe('Whether IP addresses in texts are redacted for every caller.'),
    redact: z
      .array(z.enum(piiClasses))
      .refine((classes) => new Set(classes).size === classes.length, 'the same class occurs twice')
      .default([])
      .describe('The classes of personal data that are redacted for every caller.'),
    labels: z
      .string()
      .default('')
      .describe('Labels of its BigQuery jobs, comma-separated: key, key=@parameter or key=value.'),
    bigquery: bigquerySettings
      .default({ allowReservation: false })
      .describe('Settings of its jobs on BigQuery. Absent ones have the values of the deployment.'),
    parameters: z
      .record(parameterName, parameterSettings)
      .default({})
      .describe('The parameters of the query, by the name after the @.'),
    columns: z
      .record(z.string(), columnSettings)
      .default({})
      .describe('Settings of result columns, by their names in SQL.'),
    graphql: z
      .strictObject({
        field: graphqlName.optional().describe('The field for the endpoint.'),
        tables: graphqlName.optional().describe('The field for its tables.'),
        query: graphqlName.optional().describe('The field for ad-hoc queries over its tables.'),
      })
      .default({})
      .describe('GraphQL names that differ from the derived ones.'),
  })
  .superRefine(({ deprecated, sunset }, context) => {
    if (sunset === undefined || (deprecated !== undefined && deprecated <= sunset)) return;
    const message = deprecated === undefined ? 'needs deprecated' : `must not be before ${deprecated}`;
    context.addIssue({ code: 'custom', path: ['sunset'], message });
  })
  .superRefine(({ cacheSeconds, warmSeconds }, context) => {
    if (warmSeconds === 0 || warmSeconds < cacheSeconds) return;
    const message = `expected 0 or less than cacheSeconds (${cacheSeconds})`;
    context.addIssue({ code: 'custom', path: ['warmSeconds'], message });
  })
  .superRefine(({ cacheSeconds, staleIfErrorSeconds }, context) => {
    if (staleIfErrorSeconds === 0 || cacheSeconds > 0) return;
    const message = 'needs cacheSeconds above 0';
    context.addIssue({ code: 'custom', path: ['staleIfErrorSeconds'], message });
  })
  .superRefine(({ labels, parameters }, context) => {
    const report = (message: string) => context.addIssue({ code: 'custom', path: ['labels'], message });
    for (const [index, rule] of readLabelRules(labels).entries()) {
      const item = labels.split(',').filter(Boolean)[index];
      if (rule === undefined) {
        report(`expected key, key=@parameter or key=value, got "${item}"`);
      } else if (rule.parameter !== undefined && !Object.hasOwn(parameters, rule.parameter)) {
        report(`there is no parameter "${rule.parameter}"`);
      } else if (rule.parameter !== undefined && parameters[rule.parameter]?.type.startsWith('ARRAY')) {
        report(`the parameter "${rule.parameter}" is an array, which can't be a label`);
      } else if (labelKey(rule.key) === '') {
        report(`"${item}" has no valid BigQuery label key: a key needs a letter`);
      }
    }
  });

export type EndpointSettings = z.infer<typeof endpointSettings>;

/** The settings of a view, written in the same way. */
export const viewSettings = z.strictObject({
  description: z.string().default('').describe('What the view returns.'),
  parameters: z
    .record(parameterName, parameterSettings)
    .default({})
    .describe('The parameters of the query, by the name after the @.'),
});

export type ViewSettings = z.infer<typeof viewSettings>;

/** The settings of an endpoint or a view. */
export type QuerySettings = ViewSettings & Partial<EndpointSettings>;

/**
 * Seconds for which results of sources with a retention are fresh at most. Together with the half a minute after which old
 * rows are deleted, these are gone from answers within a minute.
 */
const maxCacheSeconds = 30;

/** Refreshed this often, results are still fresh when the next ones come. */
const maxWarmSeconds = 20;

/** The settings of an endpoint whose sources' old rows are deleted: its results are not cached for longer than those may be seen. */
export function cachedWithinRetention(settings: EndpointSettings): EndpointSettings {
  return {
    ...settings,
    cacheSeconds: Math.min(settings.cacheSeconds, maxCacheSeconds),
    warmSeconds: Math.min(settings.warmSeconds, maxWarmSeconds),
  };
}
