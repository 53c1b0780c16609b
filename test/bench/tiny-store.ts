import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchStore } from '../../bench/store/bench-store.ts';

/** A store of the benchmark with few rows, which is removed in the end. */
export interface TinyStore extends AsyncDisposable {
  readonly dataDir: string;
  /** The instant up to which there are rows. */
  readonly now: bigint;
}

/** Makes a store of 3,000 rows. */
export async function tinyStore(): Promise<TinyStore> {
  const folder = await mkdtemp(join(tmpdir(), 'tiny-store-'));
  const now = BigInt(Date.now()) * 1000n;
  const dataDir = await benchStore({ folder, rows: 3_000, now });
  return { dataDir, now, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}
