import path from 'node:path';
import type { FolderFiles } from '../../base/system/folder-files.ts';
import { mentionsIn } from '../../definitions/endpoints/composition/mentions.ts';
import { QueryGraph } from '../../definitions/endpoints/composition/query-graph.ts';
import { type QueryFile, readQueryFile } from '../../definitions/endpoints/query-file.ts';
import { endpointFileNames } from '../../definitions/endpoints/settings-comment.ts';
import type { CheckedCache } from './checked-cache.ts';

/**
 * The files of a project with no endpoints but the one at a place and those that it reads, also through others: only these are
 * checked.
 */
export async function filesReadBy(
  location: string,
  text: string,
  files: FolderFiles,
  cache: CheckedCache,
): Promise<FolderFiles> {
  const folder = path.resolve(path.dirname(location));
  const read = mentionsIn(text).length === 0 ? [] : await readNames(location, files, cache);
  const shown = new Set([path.basename(location), ...read]);
  return {
    read: (file) => files.read(file),
    list: async (wanted) => {
      if (path.resolve(wanted) !== folder) return files.list(wanted);
      const names = await files.list(wanted).catch(() => []);
      return [...new Set([...names.filter((name) => !name.endsWith('.sql') || shown.has(name)), ...shown])];
    },
  };
}

/** The names of the endpoint files that a file reads. Views are read in any case. */
async function readNames(
  location: string,
  files: FolderFiles,
  cache: CheckedCache,
): Promise<readonly string[]> {
  const folder = path.dirname(location);
  const views = path.join(folder, 'views');
  const inFolder = async (of: string, role: 'endpoints' | 'views') =>
    (await endpointFileNames(of, files).catch(() => [])).map((name) => [path.join(of, name), role] as const);
  const places = [...(await inFolder(folder, 'endpoints')), ...(await inFolder(views, 'views'))];
  const all = await Promise.all(
    places.map(async ([place, role]) => {
      const file = await readQueryFile(place, role, files, cache.readBefore(place));
      if (!('location' in file)) return [];
      cache.setRead(file);
      return [file];
    }),
  );
  const queries = all.flat();
  const graph = new QueryGraph(queries);
  const own = queries.find((each) => path.resolve(each.location) === path.resolve(location));
  const reached = new Set<QueryFile>();
  const pending = own === undefined ? [] : [own];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    for (const each of graph.readBy(next).values()) if (!('problem' in each)) pending.push(each);
  }
  return [...reached]
    .filter(({ folder: of }) => of === 'endpoints')
    .map(({ location: at }) => path.basename(at));
}
