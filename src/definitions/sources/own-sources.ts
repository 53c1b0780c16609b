import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { once } from '../../base/async/memoized.ts';
import { ownFolders } from '../../base/package-folder.ts';
import { parseSource } from './parse-source.ts';
import { isOwnSource, ownSourceName, type Source } from './source.ts';

/** Of the calls, and of what operators have changed. */
const names = ['calls', 'changes'] as const;

const read = once(() => Promise.all(names.map(readSource)));

/** The sources whose rows the gateway itself writes. */
export function ownSources(): Promise<readonly Source[]> {
  return read();
}

async function readSource(name: (typeof names)[number]): Promise<Source> {
  const file = path.join(ownFolders.sources, `${name}.json`);
  const source = parseSource(ownSourceName(name), file, await readFile(file, 'utf8'));
  if ('columns' in source) return source;
  throw new Error(source.map(({ text }) => text).join('\n'));
}

/** The sources that people declare. */
export function declaredSources(sources: readonly Source[]): readonly Source[] {
  return sources.filter((source) => !isOwnSource(source));
}
