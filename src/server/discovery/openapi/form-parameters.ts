import { formats } from '../../../rows/formats/formats.ts';
import { formChoices, formKeys } from '../../rest/answers/answer-form.ts';
import type { JsonSchema } from './value-schema.ts';

const descriptions: Readonly<Record<(typeof formKeys)[number], string>> = {
  format: 'The format of the rows. Without it, the header `Accept` chooses.',
  timestamps:
    'TIMESTAMPs in `json` and `ndjson`: microseconds since 1970-01-01 00:00:00 UTC, or RFC 3339 texts in UTC. The other formats have one form each.',
  json: 'JSON columns in `json` and `ndjson`: texts that contain JSON, or the JSON itself. The other formats have texts.',
};

/** The keys of a request that choose the form of the rows, as properties of its body. */
export const formProperties: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  formKeys.map((name) => [name, { ...formSchema(name), description: descriptions[name] }]),
);

/** The same keys as parameters of a query string. */
export const formParameters: readonly object[] = formKeys.map((name) => ({
  name,
  in: 'query',
  required: false,
  description: descriptions[name],
  schema: formSchema(name),
}));

/** `format` has no default: without it, `Accept` counts. */
function formSchema(name: (typeof formKeys)[number]): JsonSchema {
  const choices: readonly string[] = formChoices[name];
  return { type: 'string', enum: choices };
}

/**
 * The bodies with rows, by media type.
 *
 * @param rows the schema of all rows in JSON
 */
export function rowContent(rows: JsonSchema): Readonly<Record<string, object>> {
  const schemas: Readonly<Record<keyof typeof formats, JsonSchema>> = {
    json: { type: 'object', properties: { result: rows }, required: ['result'] },
    ndjson: { type: 'string', description: 'A JSON object in each line.' },
    csv: { type: 'string', description: 'RFC 4180 with a header.' },
    parquet: { type: 'string', format: 'binary', description: 'Apache Parquet.' },
    arrow: { type: 'string', format: 'binary', description: 'An Arrow IPC stream.' },
  };
  return Object.fromEntries(
    Object.values(formats).map(({ name, mediaTypes: [type = ''] }) => [type, { schema: schemas[name] }]),
  );
}
