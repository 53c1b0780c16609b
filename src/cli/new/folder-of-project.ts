import { resolve } from 'node:path';

/**
 * The folder that new files go to: that of the settings, unless it is the one in the installed package, which belongs to
 * nobody's project.
 *
 * @param name the folder's usual name in a project
 */
export function folderOfProject(configured: string, name: string): string {
  return isOfPackage(configured) ? resolve(name) : configured;
}

/** Whether a folder of the settings is the one in the installed package, because the project has none. */
export function isOfPackage(configured: string): boolean {
  return /[\\/]node_modules[\\/]/.test(configured);
}
