import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The folder of a package within the path of one of its files. */
const packagePart = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

const licenceName = /^(?:licen[cs]e|copying|notice)/i;

/**
 * The names and licences of all packages whose code a build contains.
 *
 * @throws if one says neither in a file nor in its package.json what its licence is
 */
export async function licencesOf({ inputs }, root) {
  const folders = new Set(Object.keys(inputs).flatMap((file) => packagePart.exec(file) ?? []));
  const texts = await Promise.all([...folders].map((folder) => licenceOf(path.join(root, folder))));
  return [...new Set(texts)].sort().join('\n');
}

async function licenceOf(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => licenceName.test(file)).sort();
  if (license === undefined && files.length === 0) throw new Error(`${name} has no licence`);
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  const rule = '-'.repeat(80);
  return `${rule}\n${name} ${version} (${license ?? 'see below'})\n${rule}\n\n${texts.map((text) => `${text.trim()}\n`).join('\n')}`;
}
