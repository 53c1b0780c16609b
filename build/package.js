// Builds the package that npm publishes, in dist/: the program as bundled JavaScript. Node doesn't strip types below node_modules, and
// what the program needs of most of its libraries is a small part of them. All files are in one folder, so that the address of a file beside another stays the same.
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licencesOf } from './licences.js';
import { publicTypes } from './public-types.js';

const root = path.resolve(import.meta.dirname, '..');
const source = path.join(root, 'src');
const output = path.join(root, 'dist');

/** The programs that something starts by name. Workers are found by {@link besides}. */
const programs = ['cli/endpoint-gateway.js', 'cli/main.js', 'app/api/index.js'];

const { dependencies } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

/** A file that is used by its address beside the file that uses it: a worker's program, or an asset. */
const address = /new URL\('(?:\.\/)?([^'/]+)', import\.meta\.url\)/g;

/** esbuild gives a library in CommonJS that is imported in this way no names. */
const lateLibraries = /import\('([^.][^']*)'\)/g;

/** Finds all files that are used by their address. Their names must differ, because they get into one folder. */
async function besides() {
  const found = new Map();
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.[jt]s$/.test(entry.name) || file.startsWith(path.join(source, 'console/')))
      continue;
    const text = await readFile(file, 'utf8');
    for (const [, library] of text.matchAll(lateLibraries)) {
      if (library.startsWith('node:') || library in dependencies) continue;
      throw new Error(`${file}: import a module of this project that imports ${library}`);
    }
    for (const [, name] of text.matchAll(address)) {
      const used = path.join(entry.parentPath, name);
      if (found.has(name) && found.get(name) !== used) throw new Error(`two files have the name ${name}`);
      found.set(name, used);
    }
  }
  return found;
}

const used = await besides();
const workers = [...used.values()].filter((file) => /(?:\.ts|-main\.js)$/.test(file));
const assets = [...used.values()].filter((file) => !workers.includes(file));

/** Addresses of TypeScript files become those of the files that are built from them. */
const addresses = {
  name: 'addresses',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path: file }) => {
      const text = await readFile(file, 'utf8');
      return {
        contents: text.replace(address, (use) => use.replace(".ts', ", ".js', ")),
        loader: 'ts',
      };
    });
  },
};

for (const name of await readdir(output).catch(() => [])) {
  if (name !== 'console') await rm(path.join(output, name), { recursive: true });
}
const { metafile } = await build({
  entryPoints: [...programs.map((name) => path.join(source, name)), ...workers],
  outdir: output,
  entryNames: '[name]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // As Node resolves packages: graphql must be there once only.
  conditions: ['node', 'module-sync'],
  mainFields: ['module', 'main'],
  external: Object.keys(dependencies),
  // Libraries in CommonJS call `require` for what Node contains.
  banner: {
    js: "import { createRequire as $createRequire } from 'node:module';const require = $createRequire(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;",
  },
  plugins: [addresses],
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
const wasm = fileURLToPath(import.meta.resolve('parquet-wasm/node/parquet_wasm_bg.wasm'));
for (const file of [...assets, wasm]) await cp(file, path.join(output, path.basename(file)));
await writeFile(path.join(output, 'THIRD-PARTY-LICENSES.txt'), await licencesOf(metafile, root));
await publicTypes(root, output);
