import type { RowBatch } from '../../../../src/engines/duckdb/store/insert/row-batch.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import { sourceOf } from './make-source.ts';

/** A reference table. */
export const products = sourceOf('products', {
  id: 'sku',
  fields: [
    { name: 'sku', type: 'STRING' },
    { name: 'version', type: 'INT64' },
    {
      name: 'tags',
      type: 'RECORD',
      mode: 'REPEATED',
      fields: [{ name: 'name', type: 'STRING' }],
    },
  ],
});

/** So many rows of a version, a few of them without a flat form. */
export async function* productsOf(version: number, count: number): AsyncGenerator<RowBatch> {
  const lines = Array.from({ length: count }, (_, n) => {
    const tags = n % 100 === 0 ? [{ name: 'a' }, { name: 'b' }] : [];
    return JSON.stringify({ sku: `sku ${n}`, version, tags });
  });
  yield { rows: count, parts: [{ rows: count, text: lines.join('\n') }] };
}

/** Replaces all rows without end. Prints each version when it is committed. */
async function replaceForEver(dataDir: string, first: number): Promise<void> {
  const store = await openStore({
    ...{ dataDir, sources: [products], memoryLimit: '500MB', threads: 2 },
    // A checkpoint every few commits.
    logBytes: 1_000_000,
  });
  // The store's timers don't keep a process alive.
  setInterval(() => undefined, 60_000);
  for (let version = first + 1; ; version++) {
    await store.append(products, productsOf(version, 2_000), { origin: 'imported', isReplacing: true });
    process.stdout.write(`${version}\n`);
  }
}

const [, script, dataDir, first] = process.argv;
if (script === import.meta.filename && dataDir !== undefined) await replaceForEver(dataDir, Number(first));
