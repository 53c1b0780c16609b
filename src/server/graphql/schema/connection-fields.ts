import type { GraphQLResolveInfo } from 'graphql';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Call } from '../../../calls/call.ts';
import type { EndpointTable } from '../../../definitions/endpoints/endpoint.ts';
import type { Row } from '../../../sql/values/value.ts';
import type { GraphqlContext } from '../execution/context.ts';
import { inSlices } from '../execution/in-slices.ts';
import type { ConnectionShape, ObjectShape } from '../shape/shape.ts';
import type { ArgumentBuilder } from './arguments.ts';
import type { Builder, RecordType } from './builder.ts';
import { selectedFields } from './row-fields.ts';
import { type CallOutcome, runCall } from './run-call.ts';

/** The default number of rows of a page. */
export const defaultRows = 100;

/** A row of a page. */
interface Edge {
  readonly row: Row;
  readonly cursor: () => string;
}

interface PageInfo {
  readonly next: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly isFirst: boolean;
}

/** The page of a connection. */
interface ConnectionPage extends CallOutcome {
  readonly isFirst: boolean;
}

/** Makes the types of connections. */
export class Connections {
  readonly #builder: Builder;
  #pageInfo: ReturnType<typeof pageInfoType> | undefined;

  constructor(builder: Builder) {
    this.#builder = builder;
  }

  /** The type of a connection to rows of a type. */
  type({ typeName, edgeTypeName }: ConnectionShape, row: RecordType) {
    this.#pageInfo ??= pageInfoType(this.#builder);
    const pageInfo = this.#pageInfo;
    const edge = this.#builder.objectRef<Edge>(edgeTypeName).implement({
      description: 'A row of a page, with its place in the result.',
      fields: (t) => ({
        cursor: t.string({
          description: 'The argument after for the rows that follow this one',
          resolve: ({ cursor }) => cursor(),
        }),
        node: t.field({ type: row, resolve: (each) => each.row }),
      }),
    });
    return this.#builder.objectRef<ConnectionPage>(typeName).implement({
      description: 'A page of a result.',
      fields: (t) => ({
        edges: t.field({
          type: [edge],
          resolve: ({ rows, page, bytes }) => inSlices(edgesOf(rows, page), bytes),
        }),
        pageInfo: t.field({ type: pageInfo, resolve: pageInfoOf }),
        truncated: t.boolean({
          description:
            "Whether the endpoint's maximum number of rows of all pages ended them before the last row",
          resolve: ({ truncated }) => truncated,
        }),
      }),
    });
  }
}

function edgesOf(rows: readonly Row[], page: CallOutcome['page']): readonly Edge[] {
  return rows.map((row, index) => ({ row, cursor: () => page?.cursorOf(index) ?? '' }));
}

function pageInfoOf({ rows, page, isFirst }: ConnectionPage): PageInfo {
  const isEmpty = rows.length === 0 || page === undefined;
  return {
    next: page?.next,
    start: isEmpty ? undefined : page.cursorOf(0),
    end: isEmpty ? undefined : page.cursorOf(rows.length - 1),
    isFirst,
  };
}

function pageInfoType(builder: Builder) {
  return builder.objectRef<PageInfo>('PageInfo').implement({
    description: 'Where a page is among the pages of a result.',
    fields: (t) => ({
      hasNextPage: t.boolean({ resolve: ({ next }) => next !== undefined }),
      hasPreviousPage: t.boolean({
        description: 'Whether the page begins after a cursor',
        resolve: ({ isFirst }) => !isFirst,
      }),
      startCursor: t.string({ nullable: true, resolve: ({ start }) => start ?? null }),
      endCursor: t.string({
        nullable: true,
        description: 'The argument after for the next page',
        resolve: ({ end }) => end ?? null,
      }),
    }),
  });
}

/** The arguments that choose the page. */
export function pageArguments({ first, after }: ConnectionShape, maxRows: number, arg: ArgumentBuilder) {
  return {
    [first]: arg.int({
      required: true,
      defaultValue: Math.min(defaultRows, maxRows),
      description: `Maximum number of rows, from 1 to ${maxRows}`,
    }),
    [after]: arg.string({ description: 'The cursor of the row after which the page begins' }),
  };
}

interface PageRun {
  readonly connection: ConnectionShape;
  readonly row: ObjectShape;
  /** The table that is read in pages, if it isn't the result of the call. */
  readonly table?: EndpointTable;
}

/** @throws GatewayError; the signal's reason */
export async function runPage(
  call: Call,
  { connection, row, table }: PageRun,
  given: Readonly<Record<string, unknown>>,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
): Promise<ConnectionPage> {
  // Cursors are for their caller only.
  context.isUncacheable = true;
  const rows = Number(given[connection.first]);
  const { maxRows } = call.endpoint;
  if (!(rows >= 1 && rows <= maxRows)) {
    const message = `Argument "${connection.first}": expected a number from 1 to ${maxRows}, got ${rows}.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: connection.first });
  }
  const text = given[connection.after];
  const after = typeof text === 'string' ? text : undefined;
  const wanted = selectedFields(info, row, ['edges', 'node']);
  const outcome = await runCall(context, info, call.paged({ rows, after }, table), wanted);
  return { ...outcome, isFirst: after === undefined };
}
