import { maxItemsOf } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { textsToGive } from '../../../definitions/endpoints/parameters/read-given.ts';
import { hiddenClasses } from '../../../definitions/endpoints/pii-class.ts';
import { formatType } from '../../../sql/values/type.ts';
import { exampleCall, exampleCurl } from '../examples/examples.ts';
import {
  type ArgumentShape,
  type EndpointShape,
  type FieldShape,
  itemsNullable,
  type SchemaShape,
  type TypeShape,
} from '../shape/shape.ts';
import type { Builder } from './builder.ts';

/** Adds the fields that describe the endpoints: `endpoints` and `endpoint(name)`. */
export function addEndpointInfo(builder: Builder, { endpoints }: SchemaShape): void {
  const parameter = builder.objectRef<ArgumentShape>('EndpointParameter').implement({
    description: 'A parameter of an endpoint.',
    fields: (t) => ({
      name: t.string({ description: 'Its name on REST', resolve: ({ parameter: { name } }) => name }),
      argument: t.string({ description: 'Its name in GraphQL', resolve: ({ name }) => name }),
      type: t.string({
        description: 'Its GoogleSQL type',
        resolve: ({ parameter: { type } }) => formatType(type),
      }),
      required: t.boolean({ resolve: ({ parameter: { required } }) => required }),
      values: t.stringList({
        nullable: true,
        description: 'The only values; null when any is',
        resolve: ({ parameter: { values } }) => values && [...values],
      }),
      default: t.stringList({
        nullable: true,
        description: 'Its value if it is missing, as the texts to send on REST; null without a default',
        resolve: ({ parameter }) =>
          parameter.default === undefined ? null : [...textsToGive(parameter, parameter.default)],
      }),
      min: t.string({ nullable: true, resolve: ({ parameter: { min } }) => min }),
      max: t.string({ nullable: true, resolve: ({ parameter: { max } }) => max }),
      pattern: t.string({
        nullable: true,
        description: "The regular expression, in RE2's syntax, that the whole text matches",
        resolve: ({ parameter: { pattern } }) => pattern,
      }),
      maxLength: t.int({
        nullable: true,
        description: 'The maximum number of characters; of bytes for BYTES',
        resolve: ({ parameter: { maxLength } }) => maxLength,
      }),
      maxItems: t.int({
        nullable: true,
        description: 'The maximum number of elements of an array. The other rules apply to each element.',
        resolve: ({ parameter }) => (parameter.type.kind === 'ARRAY' ? maxItemsOf(parameter) : null),
      }),
      description: t.string({ nullable: true, resolve: ({ parameter: { description } }) => description }),
    }),
  });
  const column = builder.objectRef<FieldShape & { readonly sqlType: string }>('EndpointColumn').implement({
    description: 'A column of the rows of an endpoint or of one of its tables.',
    fields: (t) => ({
      name: t.string({ description: 'Its name in SQL and on REST', resolve: ({ sqlName }) => sqlName }),
      field: t.string({ description: 'Its name in GraphQL', resolve: ({ name }) => name }),
      type: t.string({ description: 'Its GoogleSQL type', resolve: ({ sqlType }) => sqlType }),
      graphqlType: t.string({ description: 'Its GraphQL type', resolve: (field) => graphqlType(field) }),
      nullable: t.boolean({ resolve: ({ nullable }) => nullable }),
    }),
  });
  const table = builder
    .objectRef<NonNullable<EndpointShape['tables']>['tables'][number]>('EndpointTable')
    .implement({
      description: 'A table that ad-hoc queries of an endpoint may read.',
      fields: (t) => ({
        name: t.string({ description: 'Its name in SQL', resolve: ({ table: { name } }) => name }),
        field: t.string({ description: 'Its name in GraphQL', resolve: ({ field }) => field }),
        columns: t.field({
          type: [column],
          resolve: ({ row, table: { plan } }) => withSqlTypes(row.fields, plan.columns),
        }),
      }),
    });
  const endpointType = builder.objectRef<EndpointShape>('Endpoint');
  const endpoint = endpointType.implement({
    description: 'A stored query.',
    fields: (t) => ({
      id: t.id({ resolve: ({ endpoint: { id } }) => id }),
      name: t.string({ resolve: ({ endpoint: { name } }) => name }),
      description: t.string({ resolve: ({ endpoint: { description } }) => description }),
      number: t.int({
        description: 'The number of its version',
        resolve: ({ endpoint: { number } }) => number,
      }),
      deprecated: t.string({
        nullable: true,
        description: 'The day since which clients should not call it; null if they may',
        resolve: ({ endpoint: { deprecation } }) => deprecation?.since,
      }),
      sunset: t.string({
        nullable: true,
        description: 'The day on which it ends; null if unknown',
        resolve: ({ endpoint: { deprecation } }) => deprecation?.sunset,
      }),
      field: t.string({ description: 'The field of Query', resolve: ({ field }) => field }),
      tablesField: t.string({
        nullable: true,
        description: 'The field of Query with its tables',
        resolve: ({ tables }) => tables?.field,
      }),
      queryField: t.string({
        nullable: true,
        description: 'The field of Query for ad-hoc queries over its tables',
        resolve: ({ tables }) => tables?.queryField,
      }),
      parameters: t.field({ type: [parameter], resolve: (shape) => [...shape.arguments] }),
      columns: t.field({
        type: [column],
        resolve: ({ row, endpoint: { plan } }) => withSqlTypes(row.fields, plan.columns),
      }),
      tables: t.field({ type: [table], resolve: ({ tables }) => [...(tables?.tables ?? [])] }),
      maxRows: t.int({
        description: 'Maximum number of rows of a result',
        resolve: ({ endpoint: { maxRows } }) => maxRows,
      }),
      cacheSeconds: t.int({ resolve: ({ endpoint: { cacheSeconds } }) => cacheSeconds }),
      warmSeconds: t.int({ resolve: ({ endpoint: { warmSeconds } }) => warmSeconds }),
      sandbox: t.boolean({ resolve: ({ endpoint: { sandbox } }) => sandbox }),
      redactPii: t.boolean({
        description: 'Whether IP addresses are redacted for all callers',
        resolve: ({ endpoint: owned }) => hiddenClasses(owned, false).includes('ip'),
      }),
      redact: t.stringList({
        description: 'What is redacted for all callers: ip, email, token, card',
        resolve: ({ endpoint: owned }) => [...hiddenClasses(owned, false)],
      }),
      older: t.field({
        type: [endpointType],
        description: 'The older versions that are served beside it, the newest of them first',
        resolve: ({ older = [] }) => [...older],
      }),
      graphql: t.string({ description: 'A call in GraphQL', resolve: (shape) => exampleCall(shape) }),
      curl: t.string({
        description: 'The same call on REST, as a shell command',
        resolve: (shape, _args, { baseUrl }) => exampleCurl(shape, baseUrl),
      }),
    }),
  });
  builder.queryFields((t) => ({
    endpoints: t.field({
      type: [endpoint],
      description: 'All endpoints.',
      resolve: () => [...endpoints],
    }),
    endpoint: t.field({
      type: endpoint,
      nullable: true,
      description: 'The endpoint with this name, or null.',
      args: { name: t.arg.string({ required: true }) },
      resolve: (_root, { name }) => endpoints.find((shape) => shape.endpoint.name === name),
    }),
  }));
}

function withSqlTypes(fields: readonly FieldShape[], columns: EndpointShape['endpoint']['plan']['columns']) {
  return fields.map((field) => {
    const type = columns[field.index]?.type;
    return { ...field, sqlType: type === undefined ? '' : formatType(type) };
  });
}

function graphqlType({ type, nullable }: FieldShape): string {
  return `${typeText(type)}${nullable ? '' : '!'}`;
}

function typeText(type: TypeShape): string {
  switch (type.kind) {
    case 'scalar':
      return type.name;
    case 'object':
      return type.object.name;
    case 'list':
      return `[${typeText(type.of)}${itemsNullable(type) ? '' : '!'}]`;
  }
}
