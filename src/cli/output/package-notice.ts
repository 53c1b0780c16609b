import { packageFolder, shippedFolders } from '../../base/package-folder.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import type { Config } from '../../definitions/settings/config.ts';

/**
 * The notice that the current folder has no project, so that commands use the shipped endpoints: the user may mean another
 * folder. Undefined elsewhere, and in the repository of the package itself.
 */
export function packageNotice(
  { endpointsDir }: Pick<Config, 'endpointsDir'>,
  currentFolder: string,
): string | undefined {
  if (endpointsDir !== shippedFolders.endpoints || currentFolder === packageFolder) return undefined;
  return `There is no folder endpoints here: those of the package are used (${shownFile(endpointsDir)}). To make a project, run endpoint-gateway init\n`;
}
