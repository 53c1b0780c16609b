import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';

const inFolder = async (folder: string) =>
  (await readdir(folder)).filter((name) => name.endsWith('.md')).map((name) => path.join(folder, name));
const files = [...(await inFolder('.')), ...(await inFolder('docs'))];

async function prose(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).replace(/^```.*?^```/gms, '');
}

/** The anchors of a document's headings, as GitHub makes them. */
async function anchorsOf(file: string): Promise<readonly string[]> {
  const headings = [...(await prose(file)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(files)('%s links to files and headings that exist', async (file) => {
  for (const [, target = ''] of (await prose(file)).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^\w+:/.test(target)) continue;
    const [name = '', anchor] = target.split('#');
    const linked = name === '' ? file : path.join(path.dirname(file), name);
    expect(existsSync(linked), target).toBe(true);
    if (anchor !== undefined) expect(await anchorsOf(linked), target).toContain(anchor);
  }
});
