import { coerceParameters } from '../../endpoints/parameters/coerce.ts';
import { GatewayError } from '../../errors.ts';
import { parseJsonExactly } from '../../exact-json.ts';
import { rowRenderer } from '../../rest/render/result-renderer.ts';
import { ownQueryOf } from '../../sandbox/own-query.ts';
import { type Column, formatType } from '../../sql/type.ts';
import type { EndpointShape } from '../shape/shape.ts';
import type { Arguments } from './arguments.ts';
import type { Builder } from './build-schema.ts';
import { type CallOutcome, reporting, runCall } from './run-call.ts';

/**
 * A function that adds the field of a sandboxed endpoint that takes a query of the caller's own. What its columns are is
 * known when it is asked, so its rows are JSON, in the forms of REST.
 */
export function ownQueryFields(
  builder: Builder,
): (shape: EndpointShape, field: string, args: Arguments) => void {
  const column = builder.objectRef<Column>('QueryColumn').implement({
    description: "A column of the result of a caller's own query.",
    fields: (t) => ({
      name: t.string({ resolve: ({ name }) => name }),
      type: t.string({ description: 'Its GoogleSQL type', resolve: ({ type }) => formatType(type) }),
    }),
  });
  const result = builder.objectRef<CallOutcome>('QueryResult').implement({
    description: "The result of a caller's own query.",
    fields: (t) => ({
      columns: t.field({ type: [column], resolve: ({ columns }) => [...columns] }),
      rows: t.field({
        type: ['JSON'],
        description: 'An object for each row, by the names of the columns, as REST writes it',
        resolve: ({ columns, rows }) => {
          const render = rowRenderer(columns);
          return rows.map((row) => parseJsonExactly(render(row)));
        },
      }),
      truncated: t.boolean({
        description: 'Whether there were more rows than the endpoint gives',
        resolve: ({ truncated }) => truncated,
      }),
    }),
  });
  return (shape, field, args) => {
    const { endpoint } = shape;
    builder.queryField(field, (t) =>
      t.field({
        type: result,
        nullable: true,
        description: `Your own query over the tables of ${endpoint.name}, in GoogleSQL or in LQL.`,
        args: {
          ...args.definition(t.arg),
          sql: t.arg.string({ description: 'GoogleSQL; counts more than lql' }),
          lql: t.arg.string({ description: 'LQL, the short query language' }),
        },
        resolve: (_root, given, context, info) =>
          reporting(shape.arguments, async () => {
            const parameters = coerceParameters(endpoint, args.texts(given));
            const own = ownQueryOf(new Map([...ownTexts(given)]));
            if (own === undefined) {
              throw new GatewayError('BAD_USER_INPUT', 'Give a query in "sql" or "lql".', {
                parameter: 'sql',
              });
            }
            const query = await context.ownQueries.plan(endpoint, own, context.signal);
            return runCall(context, info, { endpoint, parameters, query }, args.asksForRedaction(given));
          }),
      }),
    );
  };
}

function* ownTexts(given: Readonly<Record<string, unknown>>): Generator<[string, string]> {
  for (const language of ['sql', 'lql']) {
    const text = given[language];
    if (typeof text === 'string') yield [language, text];
  }
}
