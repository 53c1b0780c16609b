import { resolve } from 'node:path';

/**
 * The folder that new files go to: that of the settings, unless it is the one in the installed package, which belongs to
 * nobody's project.
 *
 * @param name the folder's usual name in a project
 */
export function folderOfProject(configured: string, name: string): string {
  return /[\\/]node_modules[\\/]/.test(configured) ? resolve(name) : configured;
}
