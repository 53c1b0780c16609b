import type { GraphQLResolveInfo } from 'graphql';
import { TimeSlice } from '../../../base/async/time-slice.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import { parseJsonExactly } from '../../../base/text/exact-json.ts';
import { adHocQueryOf } from '../../../calls/call/ad-hoc-query.ts';
import type { Call } from '../../../calls/call.ts';
import { rowRenderer } from '../../../rows/formats/render/row-renderer.ts';
import { type Column, formatType } from '../../../sql/values/type.ts';
import type { GraphqlContext } from '../execution/context.ts';
import { inSlices } from '../execution/in-slices.ts';
import type { EndpointShape } from '../shape/shape.ts';
import type { ArgumentBuilder, Arguments } from './arguments.ts';
import type { Builder } from './builder.ts';
import { type CallOutcome, reporting, runCall } from './run-call.ts';

/** A field that is one call of an endpoint. It can return rows or an estimate. */
export interface CallField {
  readonly name: string;
  readonly shape: EndpointShape;
  readonly description: string;
  arguments(arg: ArgumentBuilder): ReturnType<Arguments['definition']>;
  /** @throws GatewayError for invalid arguments */
  call(given: Readonly<Record<string, unknown>>, context: GraphqlContext, info: GraphQLResolveInfo): Call;
}

/** The option of a field that clients should not use any more. */
export function deprecated({ deprecationReason }: EndpointShape): Pick<EndpointShape, 'deprecationReason'> {
  return deprecationReason === undefined ? {} : { deprecationReason };
}

/** A field that runs the stored query. */
export function storedQueryField(shape: EndpointShape, args: Arguments): CallField {
  const { endpoint, field: name } = shape;
  return {
    name,
    shape,
    description: endpoint.description || endpoint.name,
    arguments: (arg) => args.definition(arg),
    call: (given, context, info) => args.call(given, context, info),
  };
}

/** A field that runs an ad-hoc query. */
export function adHocQueryField(shape: EndpointShape, name: string, args: Arguments): CallField {
  const { endpoint } = shape;
  return {
    name,
    shape,
    description: `An ad-hoc query over the tables of ${endpoint.name}, in GoogleSQL or in LQL.`,
    arguments: (arg) => ({
      ...args.definition(arg),
      sql: arg.string({ description: 'GoogleSQL; takes precedence over lql' }),
      lql: arg.string({ description: 'LQL, the short query language' }),
    }),
    call: (given, context, info) =>
      args.call(given, context, info, () => {
        const query = adHocQueryOf(new Map(queryTexts(given)));
        if (query !== undefined) return { query };
        throw new GatewayError('BAD_USER_INPUT', 'Give a query in "sql" or "lql".', { parameter: 'sql' });
      }),
  };
}

function* queryTexts(given: Readonly<Record<string, unknown>>): Generator<[string, string]> {
  for (const language of ['sql', 'lql']) {
    const text = given[language];
    if (typeof text === 'string') yield [language, text];
  }
}

/**
 * Returns a function that adds the ad-hoc query field of a sandboxed endpoint. Its columns are known only at run time,
 * so its rows are JSON, formatted as on REST.
 */
export function adHocQueryFields(builder: Builder): (field: CallField) => void {
  const column = builder.objectRef<Column>('QueryColumn').implement({
    description: 'A column of the result of an ad-hoc query.',
    fields: (t) => ({
      name: t.string({ resolve: ({ name }) => name }),
      type: t.string({ description: 'Its GoogleSQL type', resolve: ({ type }) => formatType(type) }),
    }),
  });
  const result = builder.objectRef<CallOutcome>('QueryResult').implement({
    description: 'The result of an ad-hoc query.',
    fields: (t) => ({
      columns: t.field({ type: [column], resolve: ({ columns }) => [...columns] }),
      rows: t.field({
        type: ['JSON'],
        description: 'One object per row, by column name, as on REST',
        resolve: async ({ columns, rows, bytes }) => {
          const render = rowRenderer(columns);
          const slice = new TimeSlice();
          const objects: unknown[] = [];
          for (const row of rows) {
            objects.push(parseJsonExactly(render(row)));
            if (slice.isOver) await slice.yield();
          }
          return inSlices(objects, bytes);
        },
      }),
      truncated: t.boolean({
        description: "Whether the result was truncated at the endpoint's maximum number of rows",
        resolve: ({ truncated }) => truncated,
      }),
    }),
  });
  return (field) => {
    builder.queryField(field.name, (t) =>
      t.field({
        type: result,
        nullable: true,
        description: field.description,
        ...deprecated(field.shape),
        args: field.arguments(t.arg),
        resolve: (_root, given, context, info) =>
          reporting(field.shape.arguments, async () =>
            runCall(context, info, field.call(given, context, info)),
          ),
      }),
    );
  };
}
