import { readFile } from 'node:fs/promises';

export interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a document, in order. */
async function codeBlocks(file: string): Promise<CodeBlock[]> {
  const text = await readFile(file, 'utf8');
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    text: code,
  }));
}

/** The texts of a document's blocks in one language. */
export async function blocksOf(file: string, language: string): Promise<string[]> {
  return (await codeBlocks(file)).filter((block) => block.language === language).map(({ text }) => text);
}

/** The rows of the table whose first column has this head: the texts of their cells. */
export async function tableRows(file: string, head: string): Promise<string[][]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  if (start < 0) throw new Error(`${file} has no table with the head ${head}`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

/** What stands in the first backquotes of a text; the text itself when it has none. */
export function quoted(text: string): string {
  return /`([^`]*)`/.exec(text)?.[1] ?? text;
}

/** The anchors of a document's headings, in GitHub's form. */
export async function anchorsOf(file: string): Promise<string[]> {
  const headings = (await readFile(file, 'utf8')).matchAll(/^#+ (.*)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
