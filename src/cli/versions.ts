import { analyzerVersion, version } from '../base/version.ts';

/** The versions of the program and of what it runs on, a line each. */
export async function versions(): Promise<string> {
  const lines = [
    `endpoint-gateway ${version}`,
    `Node.js ${process.versions.node}`,
    `DuckDB ${await duckDbVersion()}`,
    `GoogleSQL analyzer ${analyzerVersion}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The library's own version. If it doesn't load on this machine, the other versions are printed all the same. */
async function duckDbVersion(): Promise<string> {
  try {
    const { version: libraryVersion } = await import('@duckdb/node-api');
    return libraryVersion().replace(/^v/, '');
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return `can't be loaded: ${reason}`;
  }
}
