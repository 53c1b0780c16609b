import { z } from 'zod';
import { labelKey } from '../engines/labels.ts';
import { piiClasses } from '../redaction/pii-class.ts';
import { type ScalarTypeName, scalarTypeNames } from '../sql/type.ts';
import { bigquerySettings } from './bigquery-settings.ts';
import { readLabelRules } from './label-rules.ts';
import { textForms } from './parameters/parse-text.ts';

/** The types that a caller's text can be read as. */
export const parameterTypeNames: readonly ScalarTypeName[] = scalarTypeNames.filter(
  (name) => textForms[name] !== undefined,
);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Keys of a request that have a meaning of their own (contract, section c). */
const reservedNames = new Set(['sql', 'lql', 'api_key', 'dry_run']);

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
  /** Whether NULL is a value of it; where it isn't, NULL is an error. */
  nullable: z.boolean().default(true),
  description: z.string().optional(),
});

const parameterSettings = z
  .strictObject({
    type: z.enum(parameterTypeNames as [ScalarTypeName, ...ScalarTypeName[]]).default('STRING'),
    required: z.boolean().default(false),
    values: z
      .array(allowedValue)
      .min(1)
      .refine((values) => new Set(values).size === values.length, 'the same value occurs twice')
      .optional(),
    description: z.string().optional(),
    /** Its name in GraphQL. */
    argument: graphqlName.optional(),
    /** A value for examples. */
    example: z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]).optional(),
  })
  .superRefine(({ type, values = [], example }, context) => {
    const form = textForms[type];
    const expect = (path: (string | number)[], value: string) => {
      if (form?.parse(value) !== undefined) return;
      const message = `expected ${form?.expected}, got ${JSON.stringify(value)}`;
      context.addIssue({ code: 'custom', path, message });
    };
    for (const [index, value] of values.entries()) expect(['values', index], value);
    if (example === undefined) return;
    if (values.length === 0) expect(['example'], example);
    else if (!values.includes(example)) {
      const message = `expected one of ${values.join(', ')}, got ${JSON.stringify(example)}`;
      context.addIssue({ code: 'custom', path: ['example'], message });
    }
  });

const parameterName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected letters, digits and _, not starting with a digit')
  .max(128)
  .refine(
    (name) => !reservedNames.has(name.toLowerCase()),
    'this name is reserved for another request parameter',
  );

/** The settings of an endpoint, as YAML in the first block comment of its file. */
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
    /** Rows beyond this many are cut; the peer allows the same range (contract, section j). */
    maxRows: z.int().min(1).max(10_000).default(1000),
    /** A query is given up after so many seconds, if not before. */
    timeoutSeconds: z.number().min(0.001).max(3600).optional(),
    /** 0 switches caching off. */
    cacheSeconds: seconds.default(0),
    /** 0 switches warming off. */
    warmSeconds: seconds.default(0),
    /** Parameters of calls that are warmed from the start on. */
    warm: z
      .array(
        z.record(
          z.string(),
          z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]),
        ),
      )
      .max(100)
      .default([]),
    /** 0 never gives rows that are too old. */
    staleIfErrorSeconds: seconds.default(0),
    sandbox: z.boolean().default(false),
    redactPii: z.boolean().default(false),
    /** What is hidden from everybody. */
    redact: z
      .array(z.enum(piiClasses))
      .refine((classes) => new Set(classes).size === classes.length, 'the same class occurs twice')
      .default([]),
    /** Labels of its jobs: `key`, `key=@param`, `key=value`. */
    labels: z.string().default(''),
    bigquery: bigquerySettings.default({ allowReservation: false }),
    parameters: z.record(parameterName, parameterSettings).default({}),
    /** By the names of the result columns. */
    columns: z.record(z.string(), columnSettings).default({}),
    /** Its names in GraphQL: of its field, of the field with its tables, and of the one for queries over them. */
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
      } else if (labelKey(rule.key) === '') {
        report(`"${item}" has no valid BigQuery label key: a key needs a letter`);
      }
    }
  });

export type EndpointSettings = z.infer<typeof endpointSettings>;
