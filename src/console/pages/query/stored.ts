import * as z from 'zod/mini';
import type { Draft, Run } from './draft.ts';
import type { Workspace } from './workspace.ts';

// The storage of this tab only: queries may contain what others should not read.
const workspaceName = 'query-tabs';
const historyName = 'query-history';

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
const workspace = z.object({ drafts: z.array(draft), active: z.string() });
const history = z.array(
  z.object({
    question: z.object({ endpoint: z.string(), language, text: z.string(), values }),
    at: z.number(),
    milliseconds: z.number(),
    rows: z.optional(z.number()),
    failure: z.optional(z.string()),
  }),
);

/** The part of `sessionStorage` that is needed. */
type Store = Pick<Storage, 'getItem' | 'setItem'>;

export function storedWorkspace(store: Store): Workspace {
  return read(store, workspaceName, workspace) ?? { drafts: [], active: '' };
}

export function storeWorkspace(store: Store, { drafts, active }: Workspace): void {
  write(store, workspaceName, { drafts: drafts.map(plainValues), active });
}

export function storedHistory(store: Store): readonly Run[] {
  return read(store, historyName, history) ?? [];
}

export function storeHistory(store: Store, runs: readonly Run[]): void {
  write(
    store,
    historyName,
    runs.map((run) => ({ ...run, question: plainValues(run.question) })),
  );
}

function plainValues<T extends Pick<Draft, 'values'>>(one: T) {
  return { ...one, values: [...one.values] };
}

/** What is stored; nothing if that can't be read. */
function read<T>(store: Store, name: string, schema: z.ZodMiniType<T>): T | undefined {
  try {
    return schema.parse(JSON.parse(store.getItem(name) ?? ''));
  } catch {
    return undefined;
  }
}

/** Stores what there is room for. */
function write(store: Store, name: string, value: unknown): void {
  try {
    store.setItem(name, JSON.stringify(value));
  } catch {}
}
