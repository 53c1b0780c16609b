import type { GraphQLSchema } from 'graphql';
import type { Call } from '../../../calls/call.ts';
import type { Estimate } from '../../../engines/engine/engine.ts';
import { inSlices } from '../execution/in-slices.ts';
import {
  allVersions,
  type EndpointShape,
  estimatesField,
  estimatesType,
  type FieldShape,
  itemsNullable,
  type ObjectShape,
  type SchemaShape,
  type TablesShape,
  type TypeShape,
} from '../shape/shape.ts';
import { Arguments } from './arguments.ts';
import { type Builder, createBuilder, type RecordType, recordType } from './builder.ts';
import {
  adHocQueryField,
  adHocQueryFields,
  type CallField,
  deprecated,
  storedQueryField,
} from './call-field.ts';
import { Connections, defaultRows, pageArguments, runPage } from './connection-fields.ts';
import { addEndpointInfo } from './endpoint-info.ts';
import { FilterInputs } from './filter-inputs.ts';
import { fieldReader, selectedFields } from './row-fields.ts';
import { rowsOfTable } from './rows-of-table.ts';
import { reporting, runCall } from './run-call.ts';
import { addLiveResult, addLiveTable } from './subscription-fields.ts';

/**
 * Builds the executable schema: a field for each endpoint and one for its tables, and fields that describe the
 * endpoints. Every name and type comes from the shape.
 */
export function buildSchema(shape: SchemaShape): GraphQLSchema {
  const builder = createBuilder();
  builder.queryType({ description: 'One field for each endpoint.' });
  // A type without fields is not valid.
  if (shape.endpoints.length > 0)
    builder.subscriptionType({
      description:
        'One field for each endpoint, and two for each of its tables: results that stay up to date.',
    });
  const records = new Map<string, RecordType>();
  const connections = new Connections(builder);
  const addAdHocQueryField = adHocQueryFields(builder);
  const calls: CallField[] = [];
  const filters = new FilterInputs(builder);
  for (const endpoint of allVersions(shape)) {
    const args = new Arguments(builder, endpoint);
    const stored = storedQueryField(endpoint, args, filters);
    addEndpointField(builder, stored, objectType(builder, records, endpoint.row));
    addLiveResult(builder, stored, objectType(builder, records, endpoint.row));
    addConnectionField(builder, stored, connections, objectType(builder, records, endpoint.row));
    calls.push(stored);
    if (endpoint.tables === undefined) continue;
    for (const table of endpoint.tables.tables)
      addLiveTable(
        builder,
        { shape: endpoint, table, args, filters },
        objectType(builder, records, table.row),
      );
    addTablesField(builder, endpoint, endpoint.tables, { args, filters }, { records, connections });
    const adHoc = adHocQueryField(endpoint, endpoint.tables.queryField, args);
    addAdHocQueryField(adHoc);
    calls.push(adHoc);
  }
  addEstimates(builder, calls);
  addEndpointInfo(builder, shape);
  return builder.toSchema({ sortSchema: false });
}

function addEndpointField(builder: Builder, field: CallField, type: RecordType): void {
  builder.queryField(field.name, (t) =>
    t.field({
      type: [type],
      nullable: true,
      description: field.description,
      ...deprecated(field.shape),
      args: field.arguments(t.arg),
      resolve: (_root, given, context, info) =>
        reporting(field.shape.arguments, async () => {
          const call = field.call(given, context, info);
          const wanted = selectedFields(info, field.shape.row);
          const { rows, bytes } = await runCall(context, info, call, wanted);
          return inSlices(rows, bytes);
        }),
    }),
  );
}

/** Adds the field by which the endpoint's result is read in pages, if it can be. */
function addConnectionField(
  builder: Builder,
  field: CallField,
  connections: Connections,
  rowType: RecordType,
): void {
  const { connection, row, endpoint } = field.shape;
  if (connection === undefined) return;
  const type = connections.type(connection, rowType);
  builder.queryField(connection.field, (t) =>
    t.field({
      type,
      nullable: true,
      ...deprecated(field.shape),
      description: `${field.description} In pages.`,
      ...deprecated(field.shape),
      args: { ...field.arguments(t.arg), ...pageArguments(connection, endpoint.maxRows, t.arg) },
      resolve: (_root, given, context, info) =>
        reporting(field.shape.arguments, async () =>
          runPage(field.call(given, context, info), { connection, row }, given, context, info),
        ),
    }),
  );
}

function addTablesField(
  builder: Builder,
  shape: EndpointShape,
  { field, typeName, tables }: TablesShape,
  { args, filters }: { readonly args: Arguments; readonly filters: FilterInputs },
  { records, connections }: RowTypes,
): void {
  const { endpoint } = shape;
  const ref = builder.objectRef<Call>(typeName).implement({
    description: `The tables of ${endpoint.name}, newest rows first.`,
    fields: (t) =>
      Object.fromEntries(
        tables.flatMap((shapeOfTable) => {
          const { field: name, table, row, filter, connection } = shapeOfTable;
          const rowType = objectType(builder, records, row);
          const paged =
            connection &&
            t.field({
              type: connections.type(connection, rowType),
              nullable: true,
              description: `${table.name}, in pages`,
              args: pageArguments(connection, endpoint.maxRows, t.arg),
              resolve: (call, given, context, info) =>
                reporting([], () => runPage(call, { connection, row, table }, given, context, info)),
            });
          const list = [
            name,
            t.field({
              type: [rowType],
              nullable: true,
              description: table.name,
              args: {
                limit: t.arg.int({
                  required: true,
                  defaultValue: Math.min(defaultRows, endpoint.maxRows),
                  description: `Maximum number of rows, from 1 to ${endpoint.maxRows}`,
                }),
                ...filters.definition(t.arg, filter),
              },
              resolve: (call, given, context, info) =>
                reporting([], async () => {
                  const wanted = selectedFields(info, row);
                  const { rows, bytes } = await runCall(
                    context,
                    info,
                    rowsOfTable(call, shapeOfTable, given),
                    wanted,
                  );
                  return inSlices(rows, bytes);
                }),
            }),
          ] as const;
          return paged === undefined ? [list] : [list, [connection?.field ?? '', paged] as const];
        }),
      ),
  });
  builder.queryField(field, (t) =>
    t.field({
      type: ref,
      nullable: true,
      description: `The tables of ${endpoint.name}.`,
      ...deprecated(shape),
      args: args.definition(t.arg),
      resolve: (_root, given, context, info) =>
        reporting(shape.arguments, async () => args.call(given, context, info)),
    }),
  );
}

/** What makes the types of rows and of their pages. */
interface RowTypes {
  readonly records: Map<string, RecordType>;
  readonly connections: Connections;
}

/** The object type of rows or records, created on first use. */
function objectType(builder: Builder, records: Map<string, RecordType>, shape: ObjectShape): RecordType {
  const known = records.get(shape.name);
  if (known !== undefined) return known;
  const type = recordType(builder, shape.name);
  records.set(shape.name, type);
  type.implement({
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
  return type;
}

function nullability({ nullable, type }: FieldShape) {
  return type.kind === 'list' ? { list: nullable, items: itemsNullable(type) } : nullable;
}

function fieldType(builder: Builder, records: Map<string, RecordType>, type: TypeShape): unknown {
  switch (type.kind) {
    case 'scalar':
      return type.name;
    case 'object':
      return objectType(builder, records, type.object);
    case 'list':
      return [fieldType(builder, records, type.of)];
  }
}

/** Adds the field with an estimate for every call, under the name and with the arguments of the field that runs it. */
function addEstimates(builder: Builder, calls: readonly CallField[]): void {
  // An object type must have a field.
  if (calls.length === 0) return;
  const estimate = builder.objectRef<Estimate>('QueryEstimate').implement({
    description: 'The cost of a query, without running it.',
    fields: (t) => ({
      bytesProcessed: t.field({
        type: 'Int64',
        nullable: true,
        description: 'Maximum number of bytes that it would read; null if unknown',
        resolve: ({ bytesProcessed }) => bytesProcessed,
      }),
      rows: t.field({
        type: 'Int64',
        nullable: true,
        description: 'Maximum number of rows that it would read; null if unknown',
        resolve: ({ rows }) => rows,
      }),
    }),
  });
  const estimates = builder.objectRef<object>(estimatesType).implement({
    description: 'The cost of calls: the fields of Query that run a query. None of them runs here.',
    fields: (t) =>
      Object.fromEntries(
        calls.map((field) => [
          field.name,
          t.field({
            type: estimate,
            nullable: true,
            description: field.description,
            ...deprecated(field.shape),
            args: field.arguments(t.arg),
            resolve: (_root, given, context, info) =>
              reporting(field.shape.arguments, async () => {
                context.isUncacheable = true;
                return field.call(given, context, info).estimate(context.signal);
              }),
          }),
        ]),
      ),
  });
  builder.queryField(estimatesField, (t) =>
    t.field({
      type: estimates,
      description: 'The cost of calls. Nothing runs, and nothing is billed.',
      resolve: () => ({}),
    }),
  );
}
