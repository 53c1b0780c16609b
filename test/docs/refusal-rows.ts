import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { refusedSyntax, unknownFunctions } from '../../src/sql/analyzer/refused-syntax.ts';
import { analyzerRefusals } from './analyzer-refusals.ts';

/** Where the embedded engine and the language refuse constructs. */
const folders = ['src/engines/duckdb', 'src/sql'];

/** `refusal('a')`, `call.refusal(\`a ${b}\`)`, `unsupported("a")`: how it is called, and the text. */
const refusals = /(\.?)(?<how>refusal|unsupported)\(\s*(['"`])(?<text>(?:\\.|(?!\3).)*)\3/g;

async function sources(inFolders = folders): Promise<string[]> {
  const files = await Promise.all(
    inFolders.map(async (folder) => {
      const names = await readdir(folder, { recursive: true });
      return names.filter((name) => name.endsWith('.ts')).map((name) => path.join(folder, name));
    }),
  );
  return Promise.all(files.flat().map((file) => readFile(file, 'utf8')));
}

/** The text of an error with dots for what differs. */
const shownText = (text: string) =>
  text.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '…').replaceAll('|', '\\|');

/** `'Pipe AS is not supported'`: a text, in whatever call. */
const sentences =
  /(['"`])(?<text>(?:\\.|(?!\1)[^\n\\])*?\b(?:is|are) not supported(?:\\.|(?!\1)[^\n\\])*)\1/g;

/** The rows of the table of refusals that are reported before the engine has the query: with their whole texts. */
export async function languageRefusalRows(): Promise<string[]> {
  const texts = (await sources(['src/sql'])).flatMap((source) =>
    [...source.matchAll(sentences)].map(({ groups = {} }) => shownText(groups.text ?? '')),
  );
  const own = texts.filter((text) => !text.startsWith('…'));
  const named = refusedSyntax.map(({ name }) => `${name} is not supported`);
  const functions = 'Function not found: …. It is not supported: …';
  return [...new Set([...own, ...named, functions, ...analyzerRefusals.map(({ text }) => text)])]
    .sort()
    .map((text) => `| \`${text.replaceAll('`', "'")}\` |`);
}

/** The rows of the table of refused functions. */
export function refusedFunctionRows(): string[] {
  const geographies = {
    names: ['ST_*', 'S2_*'],
    reason: "GEOGRAPHY: DuckDB's spatial types are flat, BigQuery's are on a sphere",
  };
  return [geographies, ...unknownFunctions].map(
    ({ names, reason }) => `| ${names.map((name) => `\`${name}\``).join(', ')} | ${reason} |`,
  );
}

/** The rows of the table of refusals in docs/googlesql.md: every text after `Not supported:`. */
export async function refusalRows(): Promise<string[]> {
  const texts = (await sources()).flatMap((source) =>
    [...source.matchAll(refusals)].flatMap(({ groups = {} }) => {
      const { how, text = '' } = groups;
      const shown = shownText(text);
      // Texts that name nothing but a type or a function: tables of their own list these.
      if (/^(?:a )?[… ]*$/.test(shown)) return [];
      return [how === 'refusal' ? `${shown} in …` : shown];
    }),
  );
  return [...new Set(texts)].sort().map((text) => `| \`${text.replaceAll('`', "'")}\` |`);
}
