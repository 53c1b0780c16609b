import { findPackageJSON } from 'node:module';
import path from 'node:path';

/** The folder of this package, which contains its `package.json`: the same for the sources and for the built program. */
export const packageFolder = path.dirname(findPackageJSON(import.meta.url) ?? '.');
