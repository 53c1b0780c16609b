import * as z from 'zod/mini';
import { read, write } from '../../parts/storage/stored-json.ts';

/** What was written and not saved, until the tab is closed. */
const unsaved = z.object({
  text: z.string(),
  test: z.optional(z.string()),
  /** The text of the file that was changed. Absent for a new one. */
  before: z.optional(z.string()),
  /** What was chosen of the values of a new one's query, in their order. */
  choices: z.array(z.object({ isChosen: z.boolean(), name: z.string() })),
});

export type Unsaved = z.infer<typeof unsaved>;

/** What is edited: a served endpoint, or a new one that is made of a query. */
export interface Edited {
  readonly endpoint: string | undefined;
  readonly sql: string;
}

export function keptUnsaved(store: Storage, edited: Edited): Unsaved | undefined {
  return read(store, nameOf(edited), unsaved);
}

/** Keeps what is not saved. @param value undefined when everything is */
export function keepUnsaved(store: Storage, edited: Edited, value: Unsaved | undefined): void {
  if (value === undefined) store.removeItem(nameOf(edited));
  else write(store, nameOf(edited), value);
}

function nameOf({ endpoint, sql }: Edited): string {
  return endpoint === undefined ? `unsaved query ${sql}` : `unsaved endpoint ${endpoint}`;
}
