import type { Estimate } from '../../../engines/engine/engine.ts';
import { estimatesField, estimatesType } from '../shape/shape.ts';
import type { Builder } from './builder.ts';
import type { CallField } from './call-field.ts';
import { reporting } from './run-call.ts';

/** Adds the field with an estimate for every call, under the name and with the arguments of the field that runs it. */
export function addEstimates(builder: Builder, calls: readonly CallField[]): void {
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
