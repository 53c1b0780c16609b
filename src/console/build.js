// Builds the console into dist/console: hashed files, and the page that loads them. npm runs it after an installation,
// with whichever Node.js is there.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const source = path.dirname(fileURLToPath(import.meta.url));
const output = path.resolve(source, '../../dist/console');

const esbuild = await import('esbuild').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
});
if (esbuild === undefined) {
  console.log('The console is not built, because the development dependencies are not installed.');
} else {
  await build(esbuild);
}

async function build({ build }) {
  await rm(output, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { main: path.join(source, 'main.tsx') },
    outdir: output,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'linked',
    metafile: true,
    logLevel: 'warning',
  });
  // What is imported on demand is an entry point, too.
  const entry = Object.entries(metafile.outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith('/main.tsx'),
  );
  const [script, { cssBundle }] = entry;
  const page = await readFile(path.join(source, 'index.html'), 'utf8');
  await mkdir(output, { recursive: true });
  await cp(path.join(source, 'icon.svg'), path.join(output, 'icon.svg'));
  await writeFile(
    path.join(output, 'index.html'),
    page.replace('main.js', () => path.basename(script)).replace('main.css', () => path.basename(cssBundle)),
  );
}
