import { z } from 'zod';
import { labelKey } from '../engines/labels.ts';
import { piiClasses } from '../redaction/pii-class.ts';
import { bigquerySettings } from './bigquery-settings.ts';
import { readLabelRules } from './label-rules.ts';
import { checkRules } from './parameters/check-rules.ts';
import { highestMaxItems } from './parameters/max-items.ts';
import { notAType, parameterType, parameterTypeNames } from './parameters/parameter-type.ts';
import { withoutUndefined } from './without-undefined.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reserved keys of a request (contract, section c). */
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

const seconds = z.int().min(0).max(31_536_000);

/** Allowed values are compared as text: `values: [1, 2]` means "1" and "2". */
const allowedValue = z.union([
  z.string().min(1),
  z.number().transform(String),
  z.boolean().transform(String),
]);

const graphqlName = z
  .string()
  .regex(
    /^(?!__)[_A-Za-z][_0-9A-Za-z]*$/,
    'expected a GraphQL name: letters, digits and _, starting with neither a digit nor __',
  );

const columnSettings = z.strictObject({
  /** Its name in GraphQL. */
  field: graphqlName.optional(),
  /** Its type in GraphQL, if it differs from the derived one: INT64 as a number. */
  graphqlType: z.enum(['Int', 'Float']).optional(),
  /** Whether it can be NULL. If not, NULL is an error. */
  nullable: z.boolean().default(true),
  description: z.string().optional(),
});

/** A text; numbers and booleans in YAML count as texts. */
const text = z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]);

const textOrTexts = z.union([text, z.array(text)], 'expected a text, or a list of texts for an array');

const parameterSettings = z
  .strictObject({
    type: z.enum(parameterTypeNames, { error: ({ input }) => notAType(input) }).default('STRING'),
    required: z.boolean().default(false),
    values: z
      .array(allowedValue)
      .min(1)
      .refine((values) => new Set(values).size === values.length, 'the same value occurs twice')
      .optional(),
    /** The value if it is missing. */
    default: textOrTexts.optional(),
    /** The lowest and highest values. */
    min: text.optional(),
    max: text.optional(),
    /** In RE2's syntax, for the whole text. */
    pattern: z.string().optional(),
    maxLength: z.int().min(1).optional(),
    /** The number of elements. */
    maxItems: z.int().min(1).max(highestMaxItems).optional(),
    description: z.string().optional(),
    /** Its name in GraphQL. */
    argument: graphqlName.optional(),
    /** A value for examples. */
    example: textOrTexts.optional(),
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
      .string()
      .regex(uuid, 'expected a UUID')
      .transform((id) => id.toLowerCase()),
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .refine((name) => !uuid.test(name), 'a name that looks like a UUID cannot be called'),
    description: z.string().default(''),
    /** The maximum number of rows. The peer allows the same range (contract, section j). */
    maxRows: z.int().min(1).max(10_000).default(1000),
    /** The maximum number of rows of an export. */
    exportRows: z.int().min(1).max(100_000_000).optional(),
    /** Seconds after which a query times out. */
    timeoutSeconds: z.number().min(0.001).max(3600).optional(),
    /** 0 disables caching. */
    cacheSeconds: seconds.default(0),
    /** Seconds between two results of a live answer, at least. */
    liveSeconds: z.int().min(1).max(3600).default(5),
    /** 0 disables background refreshes. */
    warmSeconds: seconds.default(0),
    /** Parameters of calls that are refreshed from the start. */
    warm: z.array(z.record(z.string(), textOrTexts)).max(100).default([]),
    /** 0 disables stale results. */
    staleIfErrorSeconds: seconds.default(0),
    sandbox: z.boolean().default(false),
    redactPii: z.boolean().default(false),
    /** The classes that are redacted for all callers. */
    redact: z
      .array(z.enum(piiClasses))
      .refine((classes) => new Set(classes).size === classes.length, 'the same class occurs twice')
      .default([]),
    /** Labels of its jobs: `key`, `key=@param`, `key=value`. */
    labels: z.string().default(''),
    bigquery: bigquerySettings.default({ allowReservation: false }),
    parameters: z.record(parameterName, parameterSettings).default({}),
    /** By name of the result column. */
    columns: z.record(z.string(), columnSettings).default({}),
    /** GraphQL names of its field, of the field with its tables, and of the field for ad-hoc queries. */
    graphql: z
      .strictObject({
        field: graphqlName.optional(),
        tables: graphqlName.optional(),
        query: graphqlName.optional(),
      })
      .default({}),
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
