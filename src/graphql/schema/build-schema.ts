import SchemaBuilder from '@pothos/core';
import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import { coerceParameters } from '../../endpoints/parameters/coerce.ts';
import { GatewayError } from '../../errors.ts';
import { rowRedactor } from '../../redaction/redact-rows.ts';
import type { Row, Value } from '../../sql/value.ts';
import type { GraphqlContext } from '../context.ts';
import { toGraphqlError } from '../graphql-error.ts';
import {
  type ArgumentShape,
  type EndpointShape,
  type FieldShape,
  itemsNullable,
  type ObjectShape,
  type SchemaShape,
  type TablesShape,
  type TypeShape,
} from '../shape/shape.ts';
import { addEndpointInfo } from './endpoint-info.ts';
import { fieldReader } from './read-field.ts';
import { type CustomScalarName, customScalar, customScalarNames } from './scalars.ts';

/** How many rows of a table are given when `limit` isn't. */
const defaultLimit = 100;

interface BuilderTypes {
  DefaultFieldNullability: false;
  Context: GraphqlContext;
  Scalars: Record<CustomScalarName, { Input: string; Output: unknown }>;
}

export type Builder = PothosSchemaTypes.SchemaBuilder<PothosSchemaTypes.ExtendDefaultTypes<BuilderTypes>>;

type RecordRef = ReturnType<typeof recordRef>;
const recordRef = (builder: Builder, name: string) => builder.objectRef<Row>(name);

/**
 * The executable schema: a field for every endpoint and for its tables, and the description of the endpoints.
 * Every name and type comes from the shape; nothing is typed by hand.
 */
export function buildSchema(shape: SchemaShape): GraphQLSchema {
  const builder: Builder = new SchemaBuilder<BuilderTypes>({ defaultFieldNullability: false });
  for (const name of customScalarNames) builder.addScalarType(name, customScalar(name));
  builder.queryType({ description: 'The stored queries, a field each.' });
  const records = new Map<string, RecordRef>();
  for (const endpoint of shape.endpoints) {
    const args = new Arguments(builder, endpoint);
    addEndpointField(builder, endpoint, args, objectType(builder, records, endpoint.row));
    if (endpoint.tables !== undefined) addTablesField(builder, endpoint, endpoint.tables, args, records);
  }
  addEndpointInfo(builder, shape);
  return builder.toSchema();
}

function addEndpointField(builder: Builder, shape: EndpointShape, args: Arguments, row: RecordRef): void {
  const { endpoint } = shape;
  builder.queryField(shape.field, (t) =>
    t.field({
      type: [row],
      nullable: true,
      description: endpoint.description || endpoint.name,
      args: args.definition(t.arg),
      resolve: (_root, given, context, info) =>
        reporting(shape.arguments, async () => {
          const parameters = coerceParameters(endpoint, args.texts(given));
          return run(context, info, { endpoint, parameters });
        }),
    }),
  );
}

function addTablesField(
  builder: Builder,
  shape: EndpointShape,
  { field, typeName, tables }: TablesShape,
  args: Arguments,
  records: Map<string, RecordRef>,
): void {
  const { endpoint } = shape;
  const ref = builder.objectRef<{ parameters: ReadonlyMap<string, Value> }>(typeName).implement({
    description: `The tables of ${endpoint.name}, each by itself, the newest rows first.`,
    fields: (t) =>
      Object.fromEntries(
        tables.map(({ field: name, table, row }) => [
          name,
          t.field({
            type: [objectType(builder, records, row)],
            nullable: true,
            description: table.name,
            args: {
              limit: t.arg.int({
                required: true,
                defaultValue: Math.min(defaultLimit, endpoint.maxRows),
                description: `At most this many rows, from 1 to ${endpoint.maxRows}`,
              }),
            },
            resolve: ({ parameters }, { limit }, context, info) =>
              reporting([], async () => {
                if (limit < 1 || limit > endpoint.maxRows) {
                  const message = `Argument "limit": expected a number from 1 to ${endpoint.maxRows}, got ${limit}.`;
                  throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'limit' });
                }
                const query = { canonical: `table ${table.name}`, plan: table.plan, maxRows: limit };
                return run(context, info, { endpoint, parameters, query });
              }),
          }),
        ]),
      ),
  });
  builder.queryField(field, (t) =>
    t.field({
      type: ref,
      nullable: true,
      description: `The tables that ${endpoint.name} is made from.`,
      args: args.definition(t.arg),
      resolve: (_root, given) =>
        reporting(shape.arguments, async () => ({
          parameters: coerceParameters(endpoint, args.texts(given)),
        })),
    }),
  );
}

async function run(
  context: GraphqlContext,
  info: GraphQLResolveInfo,
  call: Omit<Parameters<GraphqlContext['executor']['execute']>[0], 'signal'>,
): Promise<readonly Row[]> {
  const { signal, executor, calls, redactPii } = context;
  const result = await executor.execute({ ...call, signal });
  const { columns, truncated, engineMs, cache, held } = result;
  const rows = await result.rows();
  const { name, redactPii: always } = call.endpoint;
  calls.push({
    path: pathText(info.path),
    endpoint: name,
    rows: rows.length,
    truncated,
    engineMs,
    cache,
    ...(held && { held }),
  });
  return always || redactPii ? rows.map(rowRedactor(columns)) : rows;
}

function pathText(path: GraphQLResolveInfo['path'] | undefined): string {
  if (path === undefined) return '';
  const before = pathText(path.prev);
  return before === '' ? String(path.key) : `${before}.${path.key}`;
}

async function reporting<T>(args: readonly ArgumentShape[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toGraphqlError(error, args);
  }
}

/** The object type of rows or records, made when it is met first. */
function objectType(builder: Builder, records: Map<string, RecordRef>, shape: ObjectShape): RecordRef {
  const known = records.get(shape.name);
  if (known !== undefined) return known;
  const ref = recordRef(builder, shape.name);
  records.set(shape.name, ref);
  ref.implement({
    description: shape.description,
    fields: (t) =>
      Object.fromEntries(
        shape.fields.map((field) => [
          field.name,
          t.field({
            type: fieldType(builder, records, field.type) as 'String',
            nullable: nullability(field) as true,
            description: field.description,
            resolve: fieldReader(field) as () => string,
          }),
        ]),
      ),
  });
  return ref;
}

function nullability({ nullable, type }: FieldShape) {
  return type.kind === 'list' ? { list: nullable, items: itemsNullable(type) } : nullable;
}

function fieldType(builder: Builder, records: Map<string, RecordRef>, type: TypeShape): unknown {
  switch (type.kind) {
    case 'scalar':
      return type.name;
    case 'object':
      return objectType(builder, records, type.object);
    case 'list':
      return [fieldType(builder, records, type.of)];
  }
}

/** The arguments of an endpoint's fields. */
class Arguments {
  readonly #builder: Builder;
  readonly #shape: EndpointShape;
  readonly #enums = new Map<ArgumentShape, ReturnType<Builder['enumType']>>();

  constructor(builder: Builder, shape: EndpointShape) {
    this.#builder = builder;
    this.#shape = shape;
    for (const argument of shape.arguments) {
      if (typeof argument.type === 'string') continue;
      const { name, description, members } = argument.type;
      const values = Object.fromEntries(
        members.map((member) => [member.name, { value: member.value, description: member.value }]),
      );
      this.#enums.set(argument, this.#builder.enumType(name, { description, values }));
    }
  }

  definition(arg: Parameters<Parameters<Builder['queryField']>[1]>[0]['arg']) {
    return Object.fromEntries(
      this.#shape.arguments.map((argument) => {
        const { parameter } = argument;
        const description = [parameter.name, parameter.description].filter(Boolean).join(': ');
        const type = (this.#enums.get(argument) ?? argument.type) as 'String';
        return [argument.name, arg({ type, required: parameter.required, description })];
      }),
    );
  }

  /**
   * What was given, as the texts that parameters are read from.
   *
   * @throws GatewayError BAD_USER_INPUT for a literal as 1e400, which graphql-js reads as infinity
   */
  texts(given: Readonly<Record<string, unknown>>): Map<string, string | null> {
    return new Map(
      this.#shape.arguments.map(({ name, parameter }) => {
        const value = given[name];
        if (value === Infinity || value === -Infinity) {
          const message = `Argument "${name}": the number is out of the range of Float.`;
          throw new GatewayError('BAD_USER_INPUT', message, { parameter: parameter.name });
        }
        return [parameter.name, value === undefined || value === null ? null : String(value)];
      }),
    );
  }
}
