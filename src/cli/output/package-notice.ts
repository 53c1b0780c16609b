import { packageFolder, shippedFolders } from '../../base/package-folder.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { Config } from '../../definitions/settings/config.ts';

/**
 * What to tell those whose current folder has no project, for whom commands take the endpoints that are shipped: it may not be
 * the folder that they mean. Undefined elsewhere, and in the repository of the package itself.
 */
export function packageNotice(
  { endpointsDir }: Pick<Config, 'endpointsDir'>,
  currentFolder: string,
): string | undefined {
  if (endpointsDir !== shippedFolders.endpoints || currentFolder === packageFolder) return undefined;
  return `There is no folder endpoints here: those of the package are used (${shownFile(endpointsDir)}). To make a project, run endpoint-gateway init\n`;
}
