import { listOf, orNull, record, strings } from './schema-parts.ts';

const text = { type: 'string' };
const texts = { type: ['string', 'array', 'null'], items: text };
const columns = listOf(record(strings('name', 'type', 'description')));

const parameter = record(
  {
    ...strings('name', 'type', 'description'),
    required: { type: 'boolean' },
    default: texts,
    values: orNull(listOf(text)),
    example: texts,
  },
  { ...strings('min', 'max', 'pattern'), maxLength: { type: 'integer' }, maxItems: { type: 'integer' } },
);

const variable = record(strings('parameter', 'name'), {
  members: { type: 'object', additionalProperties: text },
});

const lastRun = record({
  at: { type: 'string', format: 'date-time' },
  milliseconds: { type: 'number' },
  failed: { type: 'boolean' },
});

/** The properties that every description has. */
const always = {
  ...strings('id', 'name', 'description', 'graphqlField'),
  maxRows: { type: 'integer' },
  exportRows: { type: 'integer' },
  cacheSeconds: { type: 'integer' },
  sandbox: { type: 'boolean' },
  parameters: listOf(parameter),
  columns,
  tables: listOf(record({ ...strings('name'), columns })),
  liveTables: listOf(text),
};

const asked = { activity: record({ cachedResults: { type: 'integer' }, lastRun: orNull(lastRun) }) };

/** An endpoint in the list. */
export const listedEndpoint = record(always, asked);

/** An endpoint by itself. */
export const describedEndpoint = record(
  { ...always, graphql: record({ ...strings('query'), variables: listOf(variable) }) },
  { ...asked, definition: record({ ...strings('sql'), settings: { type: 'object' } }) },
);
