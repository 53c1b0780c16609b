import { hash } from 'node:crypto';
import type { Change } from './change-records.ts';

/** What chooses the rows that were deleted. */
interface DeletedBy {
  readonly source: string;
  /** In microseconds since the epoch. */
  readonly before?: bigint | undefined;
  readonly where?: string | undefined;
}

/** The deletion of rows, as a change. The condition is recorded by a digest: its values may be what had to be deleted. */
export function rowsDeleted({ source, before, where }: DeletedBy, rows: number): Change {
  const details = {
    rows,
    ...(before !== undefined && { before: new Date(Number(before / 1000n)).toISOString() }),
    ...(where !== undefined && { where: hash('sha256', where) }),
  };
  return { action: 'rows.deleted', target: source, details };
}

/** The replacement of all rows of a source, as a change. */
export function rowsReplaced(
  source: string,
  { imported, replaced }: { readonly imported: number; readonly replaced?: number | undefined },
): Change {
  return { action: 'rows.replaced', target: source, details: { rows: imported, replaced } };
}
