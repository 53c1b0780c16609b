import * as z from 'zod/mini';
import { chartTypes } from '../../../parts/chart/chart-choice.ts';
import { read, type Store, write } from '../../../parts/storage/stored-json.ts';
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
  chart: z.optional(
    z.object({
      type: z.enum(chartTypes),
      x: z.string(),
      y: z.array(z.string()),
      series: z.optional(z.string()),
    }),
  ),
});
const workspace = z.object({
  drafts: z.array(draft),
  active: z.string(),
  closed: z._default(z.array(draft), []),
});

/** A question as it is stored: see {@link plainValues}. */
export const question = z.object({ endpoint: z.string(), language, text: z.string(), values });

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
