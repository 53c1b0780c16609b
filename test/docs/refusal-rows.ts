import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Where the embedded engine and the language refuse constructs. */
const folders = ['src/engines/duckdb', 'src/sql'];

/** `refusal('a')`, `call.refusal(\`a ${b}\`)`, `unsupported("a")`: how it is called, and the text. */
const refusals = /(\.?)(?<how>refusal|unsupported)\(\s*(['"`])(?<text>(?:\\.|(?!\3).)*)\3/g;

async function sources(): Promise<string[]> {
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder, { recursive: true });
      return names.filter((name) => name.endsWith('.ts')).map((name) => path.join(folder, name));
    }),
  );
  return Promise.all(files.flat().map((file) => readFile(file, 'utf8')));
}

/** The rows of the table of refusals in docs/googlesql.md: every text after `Not supported:`. */
export async function refusalRows(): Promise<string[]> {
  const texts = (await sources()).flatMap((source) =>
    [...source.matchAll(refusals)].flatMap(({ groups = {} }) => {
      const { how, text = '' } = groups;
      const shown = text.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…').replaceAll('|', '\\|');
      // Texts that name nothing but a type or a function: tables of their own list these.
      if (/^(?:a )?[… ]*$/.test(shown)) return [];
      return [how === 'refusal' ? `${shown} in …` : shown];
    }),
  );
  return [...new Set(texts)].sort().map((text) => `| \`${text.replaceAll('`', "'")}\` |`);
}
