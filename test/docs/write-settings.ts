import { readFile, writeFile } from 'node:fs/promises';
import { settingsText } from './settings-text.ts';

const file = 'docs/settings.md';
await writeFile(file, settingsText(await readFile(file, 'utf8')));
