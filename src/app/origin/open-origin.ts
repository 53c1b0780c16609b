import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import type { Planner } from '../../calls/planner/planner.ts';
import type { EndpointsOrigin } from '../../definitions/origin/endpoints-origin.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { originFolder } from '../../definitions/settings/origin-settings.ts';
import { archiveRemote } from './archive/archive-remote.ts';
import { FetchedEndpoints } from './fetched-endpoints.ts';
import { gitRemote } from './git/git-remote.ts';
import { versionProblems } from './version-problems.ts';

/**
 * Fetches the endpoints and sources of an origin, so that they are in the folders of the settings.
 *
 * @throws CommandError if there are none, nor of an earlier start
 */
export function openOrigin(
  config: Config,
  origin: EndpointsOrigin,
  { planner, clock, log }: { planner: Pick<Planner, 'planText'>; clock: Clock; log: Log },
): Promise<FetchedEndpoints> {
  const { endpointsToken: token, endpointsPublicKey: keys } = config;
  const folder = originFolder(config.dataDir, origin);
  const remote =
    origin.kind === 'git'
      ? gitRemote(origin, { token, workFolder: folder, clock })
      : archiveRemote(origin, { token, keys });
  return FetchedEndpoints.open({
    ...{ from: origin.shown, remote, folder, clock, log },
    check: (added) => versionProblems(config, planner, added),
  });
}
