import type * as z from 'zod/mini';

/** The part of a browser's storage that is needed. */
export type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** What is stored under a name; nothing if that can't be read. */
export function read<T>(store: Store, name: string, schema: z.ZodMiniType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(store.getItem(name) ?? ''));
  } catch {
    return undefined;
  }
}

/** Stores what there is room for. */
export function write(store: Store, name: string, value: unknown): void {
  try {
    store.setItem(name, JSON.stringify(value));
  } catch {}
}
