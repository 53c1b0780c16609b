import { ownFolders } from '../../base/package-folder.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import type { LoadedEndpoints } from '../../definitions/endpoints/load-endpoints.ts';
import { loadEndpoints } from '../../definitions/endpoints/load-endpoints.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { ownSources } from '../../definitions/sources/own-sources.ts';
import { isOwnSource, ownSourceName, type Source } from '../../definitions/sources/source.ts';
import type { Plan } from '../../sql/plan/plan.ts';
import { isStored } from '../engines/registry.ts';
import { sourceCatalog } from './source-catalog.ts';

export type RecordSettings = Pick<Config, 'engine' | 'recordCalls' | 'recordCallsDays'>;

/** Whether the gateway records calls: by default, where it has a store of its own. */
export function recordsCalls({
  recordCalls,
  engine,
}: Pick<RecordSettings, 'engine' | 'recordCalls'>): boolean {
  return recordCalls ?? isStored({ engine });
}

/** What operators have changed is kept for a hundred years. */
const changesDays = 36_500;

/** The gateway's own sources, if it records calls. */
export async function recordedSources(config: RecordSettings): Promise<readonly Source[]> {
  if (!recordsCalls(config)) return [];
  const ofCalls = ownSourceName('calls');
  return (await ownSources()).map((source) => ({
    ...source,
    retentionDays: source.name === ofCalls ? config.recordCallsDays : changesDays,
  }));
}

/**
 * With the gateway's own endpoints over its own sources, if there are any. An endpoint of the same name or id takes the place
 * of one of them.
 */
export async function withOwnEndpoints(
  loaded: LoadedEndpoints,
  sources: readonly Source[],
  planner: Pick<Planner, 'planText'>,
  checkPlan: (plan: Plan) => Promise<void>,
): Promise<LoadedEndpoints> {
  const read = sources.filter(isOwnSource);
  if (read.length === 0) return loaded;
  const own = await loadEndpoints(ownFolders.endpoints, {
    planText: (text) => planner.planText(text),
    catalog: sourceCatalog(read),
    checkPlan,
  });
  const isTaken = ({ id, name }: { readonly id: string; readonly name: string }) =>
    loaded.declared.some((each) => each.id === id || each.name === name);
  return {
    ...loaded,
    endpoints: [...loaded.endpoints, ...own.endpoints.filter((endpoint) => !isTaken(endpoint))],
    problems: [...loaded.problems, ...own.problems],
    refusals: [...loaded.refusals, ...own.refusals],
  };
}
