import * as z from 'zod/mini';
import { read, write } from '../../../parts/storage/stored-json.ts';
import { plainValues, question } from '../drafts/stored.ts';
import { type Run, withRun } from './runs.ts';

/** The part of a browser's storage that is needed. */
export type HistoryStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/** Where the history of a key is kept. */
export interface HistoryPlace {
  readonly store: HistoryStore;
  readonly name: string;
}

const prefix = 'query-history ';
/** Histories of further keys are dropped, those that were not used for longest first. */
const maxHistories = 5;

/**
 * The place of a key's history. Its name has a digest of the key, which tells nothing of it.
 *
 * @param digest SHA-256; null where browsers have none, as on pages by HTTP of another machine
 */
export async function placeOf(
  key: string,
  stores: { readonly device: HistoryStore; readonly tab: HistoryStore },
  digest: SubtleCrypto | null = globalThis.crypto?.subtle ?? null,
): Promise<HistoryPlace & { readonly isOnDevice: boolean }> {
  if (digest === null) return { store: stores.tab, name: `${prefix}of this tab`, isOnDevice: false };
  const bytes = await digest.digest('SHA-256', new TextEncoder().encode(`endpoint-gateway history\n${key}`));
  const hex = Array.from(new Uint8Array(bytes).slice(0, 16), (byte) => byte.toString(16).padStart(2, '0'));
  return { store: stores.device, name: `${prefix}${hex.join('')}`, isOnDevice: true };
}

const history = z.array(
  z.object({
    question,
    at: z.number(),
    milliseconds: z.number(),
    rows: z.optional(z.number()),
    failure: z.optional(z.string()),
  }),
);

/** The kept runs, the newest first. */
export function keptRuns({ store, name }: HistoryPlace): readonly Run[] {
  return read(store, name, history) ?? [];
}

/** Adds a run to those that other tabs have kept by now. */
export function keepRun(place: HistoryPlace, run: Run): void {
  const runs = withRun(keptRuns(place), run);
  write(
    place.store,
    place.name,
    runs.map((each) => ({ ...each, question: plainValues(each.question) })),
  );
  dropOthers(place);
}

export function dropRuns({ store, name }: HistoryPlace): void {
  try {
    store.removeItem(name);
  } catch {}
}

function dropOthers({ store, name: own }: HistoryPlace): void {
  try {
    const names = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
    const last = (name: string) => keptRuns({ store, name })[0]?.at ?? 0;
    const others = names
      .filter((name) => name.startsWith(prefix) && name !== own)
      .sort((one, other) => last(other) - last(one));
    for (const name of others.slice(maxHistories - 1)) store.removeItem(name);
  } catch {}
}
