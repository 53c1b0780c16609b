import { TimeSlice } from '../../../base/async/time-slice.ts';
import { parseJsonExactly } from '../../../base/text/exact-json.ts';
import { rowRenderer } from '../../../rows/formats/render/row-renderer.ts';
import { type Column, formatType } from '../../../sql/values/type.ts';
import { inSlices } from '../execution/in-slices.ts';
import type { Builder } from './builder.ts';
import type { CallField } from './call-field.ts';
import { type CallOutcome, reporting, runCall } from './run-call.ts';

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
        args: field.arguments(t.arg),
        resolve: (_root, given, context, info) =>
          reporting(field.shape.arguments, async () =>
            runCall(context, info, field.call(given, context, info)),
          ),
      }),
    );
  };
}
