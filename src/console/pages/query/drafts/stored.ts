import * as z from 'zod/mini';
import type { Draft } from './draft.ts';
import { noTabs, type Workspace } from './workspace.ts';

// The storage of this tab only: queries may contain what others should not read.
const workspaceName = 'query-tabs';

const values = z.pipe(
  z.array(z.tuple([z.string(), z.union([z.string(), z.array(z.string())])])),
  z.transform((pairs) => new Map(pairs)),
);
const language = z.enum(['sql', 'lql']);
const draft = z.object({
  id: z.string(),
  endpoint: z.string(),
  language,
  sql: z.string(),
  lql: z.string(),
  values,
});
const workspace = z.object({
  drafts: z.array(draft),
  active: z.string(),
  closed: z._default(z.array(draft), []),
});

/** A question as it is stored: see {@link plainValues}. */
export const question = z.object({ endpoint: z.string(), language, text: z.string(), values });

/** The part of a browser's storage that is needed. */
type Store = Pick<Storage, 'getItem' | 'setItem'>;

export function storedWorkspace(store: Store): Workspace {
  return read(store, workspaceName, workspace) ?? noTabs;
}

export function storeWorkspace(store: Store, { drafts, active, closed }: Workspace): void {
  write(store, workspaceName, { drafts: drafts.map(plainValues), active, closed: closed.map(plainValues) });
}

/** A draft or a question as JSON has it. */
export function plainValues<T extends Pick<Draft, 'values'>>(one: T) {
  return { ...one, values: [...one.values] };
}

/** What is stored; nothing if that can't be read. */
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
