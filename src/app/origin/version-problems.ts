import { join, relative, resolve } from 'node:path';
import { compareProblems, type Problem } from '../../base/errors/problem.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { loadSources } from '../../definitions/sources/load-sources.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { buildShape } from '../../server/graphql/shape/build-shape.ts';
import { engineOf, isStored } from '../engines/registry.ts';
import { checkEndpoints, checkSources, engineRefusals } from '../schema/load-schema.ts';
import { loadWithAddedFields } from '../schema/load-with-added-fields.ts';
import { treeFolders } from './tree/tree-file.ts';

/**
 * All errors in the files of a version, as `check` finds them, with paths below its folder. What the engine does not support is
 * an error only where such endpoints aren't served.
 */
export async function versionProblems(
  config: Config,
  planner: Pick<Planner, 'planText'>,
  folder: string,
): Promise<readonly Problem[]> {
  const own = {
    ...config,
    endpointsDir: join(folder, treeFolders.endpoints),
    sourcesDir: join(folder, treeFolders.sources),
  };
  const { sources, problems: ofSources } = await checkSources(own);
  const { sources: declared } = await loadSources(own.sourcesDir, { isStored: isStored(own) });
  const { loaded } = await loadWithAddedFields(sources, declared, async (tried) => ({
    problems: await endpointProblems(own, planner, tried),
  }));
  return [...ofSources, ...loaded.problems]
    .map((problem) => ({ ...problem, file: relative(folder, resolve(problem.file)) }))
    .sort(compareProblems);
}

async function endpointProblems(
  config: Config,
  planner: Pick<Planner, 'planText'>,
  sources: readonly Source[],
): Promise<readonly Problem[]> {
  const { checkPlan, unsupported } = engineOf(config);
  const { endpoints, places, problems, refusals } = await checkEndpoints(config, planner, sources, checkPlan);
  const fatal = unsupported.isServed ? [] : engineRefusals(config, refusals);
  return [...problems, ...fatal, ...buildShape(endpoints, places, sources).problems];
}
