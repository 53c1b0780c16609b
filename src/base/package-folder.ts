import { findPackageJSON } from 'node:module';
import path from 'node:path';

/** The folder of this package, which contains its `package.json`: the same for the sources and for the built program. */
export const packageFolder = path.dirname(findPackageJSON(import.meta.url) ?? '.');

/** The folders of the endpoints and sources that are shipped, which serve where there is no project. */
export const shippedFolders = {
  endpoints: path.join(packageFolder, 'schema/endpoints'),
  sources: path.join(packageFolder, 'schema/sources'),
} as const;

/** The folders of the gateway's own endpoints, sources and boards. */
export const ownFolders = {
  endpoints: path.join(packageFolder, 'schema/gateway/endpoints'),
  sources: path.join(packageFolder, 'schema/gateway/sources'),
  boards: path.join(packageFolder, 'schema/gateway/boards'),
} as const;
