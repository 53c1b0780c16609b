import { GatewayError } from '../../../base/errors/errors.ts';
import { defaultTailRows, maxTailRows } from '../../../calls/live/limits.ts';
import { inSlices } from '../execution/in-slices.ts';
import type { EndpointShape, TableShape } from '../shape/shape.ts';
import type { Arguments } from './arguments.ts';
import type { Builder, RecordType } from './builder.ts';
import { type CallField, deprecated } from './call-field.ts';
import { type LiveEvent, liveResults, liveTail } from './live-events.ts';
import { type CallOutcome, reporting } from './run-call.ts';

/** Adds the field of `Subscription` for the result of an endpoint. */
export function addLiveResult(builder: Builder, field: CallField, type: RecordType): void {
  const { endpoint, arguments: args } = field.shape;
  builder.subscriptionField(field.name, (t) =>
    t.field({
      type: [type],
      nullable: true,
      description: `${field.description} First the present result, then each that has changed.`,
      ...deprecated(field.shape),
      args: {
        ...field.arguments(t.arg),
        live: t.arg.int({ description: liveDescription(endpoint.liveSeconds) }),
      },
      subscribe: (_root, given, context, info) =>
        reporting(args, async () => {
          const { live } = given as { live?: number };
          return liveResults(context, field.call(given, context, info), live);
        }),
      resolve: (event: LiveEvent) => reporting(args, async () => listed(await event.outcome())),
    }),
  );
}

/** Adds the fields of `Subscription` for a table: its newest rows, and its tail. */
export function addLiveTable(
  builder: Builder,
  shape: EndpointShape,
  { table, live }: TableShape,
  args: Arguments,
  type: RecordType,
): void {
  const { endpoint } = shape;
  const { name } = table;
  builder.subscriptionField(live.field, (t) =>
    t.field({
      type: [type],
      nullable: true,
      description: `The newest rows of ${name} of ${endpoint.name}, whenever they have changed.`,
      ...deprecated(shape),
      args: {
        ...args.definition(t.arg),
        limit: t.arg.int({
          required: true,
          defaultValue: Math.min(defaultTailRows, endpoint.maxRows),
          description: `Maximum number of rows, from 1 to ${endpoint.maxRows}`,
        }),
        live: t.arg.int({ description: liveDescription(endpoint.liveSeconds) }),
      },
      subscribe: (_root, given, context, info) =>
        reporting(shape.arguments, async () => {
          const { limit = 0, live: seconds } = given as { limit?: number; live?: number };
          if (limit < 1 || limit > endpoint.maxRows) {
            const message = `Argument "limit": expected a number from 1 to ${endpoint.maxRows}, got ${limit}.`;
            throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'limit' });
          }
          const call = args.call(given, context, info).newestRows(table, limit);
          return liveResults(context, call, seconds);
        }),
      resolve: (event: LiveEvent) => reporting(shape.arguments, async () => listed(await event.outcome())),
    }),
  );
  if (live.tail === undefined) return;
  const tail = builder.objectRef<LiveEvent>(live.tail.typeName).implement({
    description: `Rows of ${name} of ${endpoint.name} that have arrived.`,
    fields: (t) => ({
      rows: t.field({
        type: [type],
        description: 'Oldest first',
        resolve: (event) => reporting(shape.arguments, async () => listed(await event.outcome())),
      }),
      cursor: t.string({
        nullable: true,
        description: 'For the argument `after`, to go on from here',
        resolve: ({ id }) => id,
      }),
      skipped: t.boolean({
        resolve: ({ skipped }) => skipped,
        description: 'Whether rows before these may have been left out',
      }),
    }),
  });
  builder.subscriptionField(live.tail.field, (t) =>
    t.field({
      type: tail,
      nullable: true,
      description: `The rows of ${name} of ${endpoint.name} as they arrive, each once.`,
      ...deprecated(shape),
      args: {
        ...args.definition(t.arg),
        lql: t.arg.string({ description: 'Filters in LQL' }),
        last: t.arg.int({
          required: true,
          defaultValue: defaultTailRows,
          description: `How many of the newest rows come first, from 0 to ${maxTailRows}`,
        }),
        after: t.arg.string({ description: 'The cursor of the last event, to go on after it' }),
      },
      subscribe: (_root, given, context, info) =>
        reporting(shape.arguments, async () => {
          const { lql, last, after } = given as { lql?: string; last?: number; after?: string };
          const tail = { table, lql: lql ?? undefined, after: after ?? undefined };
          const call = args.call(given, context, info, () => ({ tail }));
          return liveTail(context, call, last ?? defaultTailRows);
        }),
      // What fails is its rows.
      resolve: (event: LiveEvent) => event,
    }),
  );
}

function listed({ rows, bytes }: CallOutcome) {
  return inSlices(rows, bytes);
}

function liveDescription(seconds: number): string {
  return `Seconds between two results, at least: ${seconds} or more`;
}
