import { readFile, writeFile } from 'node:fs/promises';
import { cliText } from './cli-text.ts';

const file = 'docs/cli.md';
await writeFile(file, cliText(await readFile(file, 'utf8')));
