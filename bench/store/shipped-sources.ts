import { shippedFolders } from '../../src/base/package-folder.ts';
import { loadSources } from '../../src/definitions/sources/load-sources.ts';
import type { Source } from '../../src/definitions/sources/source.ts';

/** The sources of this package, whatever the current folder is. */
export async function shippedSources(): Promise<readonly Source[]> {
  return (await loadSources(shippedFolders.sources)).sources;
}

/** The one of them whose rows the benchmark makes. */
export async function edgeLogs(): Promise<Source> {
  return edgeLogsOf(await shippedSources());
}

/** The source `edge_logs` of some sources. */
export function edgeLogsOf(sources: readonly Source[]): Source {
  const source = sources.find(({ name }) => name === 'edge_logs');
  if (source === undefined) throw new Error('no edge_logs');
  return source;
}
