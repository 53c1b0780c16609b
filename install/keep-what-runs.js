// npm runs this after an installation. It deletes what packages contain besides what runs on this machine, which takes 320 MB: the analyzer
// for other platforms, and Node's headers. Without this script, everything works as well.
import { readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

const platform = `${process.platform}-${process.arch}`;
const analyzers = {
  'linux-x64': 'remote_server.so',
  'linux-arm64': 'remote_server_arm.so',
  'darwin-x64': 'remote_server',
  'darwin-arm64': 'remote_server_arm',
};

await keep('@fivetrandevelopers/zetasql', async (entry) => {
  const folder = path.join(path.dirname(entry), 'zetasql');
  const names = await readdir(folder);
  const own = analyzers[platform];
  if (!names.includes(own)) return [];
  return names
    .filter((name) => name.startsWith('remote_server') && name !== own)
    .map((name) => path.join(folder, name));
});
await keep(`node-${platform}/package.json`, (manifest) => [path.join(path.dirname(manifest), 'include')]);

/** Deletes what is not needed of a package, if it is installed. */
async function keep(specifier, unneeded) {
  try {
    const files = await unneeded(createRequire(import.meta.url).resolve(specifier));
    await Promise.all(files.map((file) => rm(file, { recursive: true, force: true })));
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') console.warn(`All of ${specifier} is kept: ${error.message}`);
  }
}
