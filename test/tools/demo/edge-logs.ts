import type { Source } from '../../../src/definitions/sources/source.ts';
import type { Store } from '../../../src/engines/duckdb/store/store.ts';

/** The source of the demo's edge rows. */
export function edgeLogs({ sources }: Store): Source {
  const source = sources.find(({ name }) => name === 'edge_logs');
  if (source === undefined) throw new Error('no edge_logs');
  return source;
}
