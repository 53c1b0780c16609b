import { counted } from '../../base/text/counted.ts';
import { microsPerMinute } from '../../sql/values/time-units.ts';
import {
  SchemaFiller,
  type SchemaFillerOptions,
} from '../../tools/made-up-rows/from-schema/schema-filler.ts';
import { MadeUpStore } from '../../tools/made-up-rows/making/made-up-store.ts';
import { type Period, startRowTicker } from '../../tools/made-up-rows/making/row-ticker.ts';
import type { FillStore } from '../made-up/made-up-gateway.ts';
import type { SessionOutput } from '../made-up/session.ts';
import { wallClock, withMakingProgress } from '../made-up/session.ts';

/** Fills a store with rows made up from the schemas of any sources. */
export function fillFromSchema(
  options: SchemaFillerOptions,
  output: SessionOutput,
  signal: AbortSignal,
): FillStore {
  return async (rows, schema) => {
    let sources = schema.sources;
    const store = new MadeUpStore(rows, (name) => sources.find((source) => source.name === name)?.file);
    const filler = new SchemaFiller(store, options);
    const now = wallClock();
    const { added } = await withMakingProgress(output, async (onProgress) => ({
      added: await filler.fill(schema, now, { signal, onProgress }),
    }));
    output.out(`Made up ${counted(added, 'row')} of ${counted(sources.length, 'source')}\n`);
    return (current, onEnd) =>
      startRowTicker({
        from: now,
        clock: wallClock,
        partsOf: minutes,
        hasOtherRows: () => store.hasOtherRows(),
        async add(period) {
          const before = current();
          sources = before.sources;
          try {
            await filler.add(before, period);
          } catch (error) {
            // Rows of the former sources don't fit the reloaded ones. The next rows will.
            if (current().sources === before.sources) throw error;
          }
        },
        onEnd,
      });
  };
}

function minutes(from: bigint, to: bigint): readonly Period[] {
  const parts: Period[] = [];
  for (let start = from; start < to; start += microsPerMinute) {
    const end = start + microsPerMinute;
    parts.push({ from: start, to: end < to ? end : to });
  }
  return parts;
}
