import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

/** The modules whose types users see. All that they export has its type written down, so that each is compiled by itself. */
const modules = ['api/api', 'api/create-gateway', 'api/gateway', 'api/setting-name'];

/** Writes the types of the package's API: `api/api.d.ts`, and what it imports. */
export async function publicTypes(root, output) {
  const files = modules.map((name) => path.join(root, 'src/app', `${name}.ts`));
  const options = ['--ignoreConfig', '--noCheck', '--noResolve', '--declaration', '--emitDeclarationOnly'];
  const places = [
    '--rootDir',
    path.join(root, 'src/app'),
    '--outDir',
    output,
    '--target',
    'es2024',
    '--module',
    'nodenext',
  ];
  await promisify(execFile)(path.join(root, 'node_modules/.bin/tsc'), [...options, ...places, ...files]);
  for (const name of modules) {
    const file = path.join(output, `${name}.d.ts`);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}
