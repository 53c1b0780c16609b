import { createRequire } from 'node:module';
import path from 'node:path';

const packageName = '@fivetrandevelopers/zetasql';

/** The folder of the analyzer's package with its programs and protocol definitions. */
export function analyzerFolder(): string {
  const entry = createRequire(import.meta.url).resolve(packageName);
  return path.join(path.dirname(entry), 'zetasql');
}

/**
 * The path of the analyzer's native program for a platform.
 *
 * @throws when the package has none for the platform
 */
export function analyzerProgram(platform: NodeJS.Platform = process.platform, arch: string = process.arch) {
  const suffixes: Readonly<Record<string, string>> = {
    'linux-x64': '.so',
    'linux-arm64': '_arm.so',
    'darwin-x64': '',
    'darwin-arm64': '_arm',
  };
  const suffix = suffixes[`${platform}-${arch}`];
  if (suffix === undefined) {
    throw new Error(`The GoogleSQL analyzer is not available for ${platform} on ${arch}`);
  }
  return path.join(analyzerFolder(), `remote_server${suffix}`);
}
