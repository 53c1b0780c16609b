import type { GraphQLResolveInfo } from 'graphql';
import { GatewayError } from '../../../base/errors/errors.ts';
import { adHocQueryOf } from '../../../calls/call/ad-hoc-query.ts';
import type { Call } from '../../../calls/call.ts';
import type { GraphqlContext } from '../execution/context.ts';
import type { EndpointShape } from '../shape/shape.ts';
import type { ArgumentBuilder, Arguments } from './arguments.ts';

/** A field that is one call of an endpoint. It can return rows or an estimate. */
export interface CallField {
  readonly name: string;
  readonly shape: EndpointShape;
  readonly description: string;
  arguments(arg: ArgumentBuilder): ReturnType<Arguments['definition']>;
  /** @throws GatewayError for invalid arguments */
  call(given: Readonly<Record<string, unknown>>, context: GraphqlContext, info: GraphQLResolveInfo): Call;
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
