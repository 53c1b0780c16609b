import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { scopes } from '../../src/calls/access/caller/caller.ts';
import { piiClasses } from '../../src/definitions/endpoints/pii-class.ts';
import { quoted, tableRows } from './markdown.ts';

test('docs/redaction.md lists every class, and docs/endpoints.md and the table of who switches it on name it', async () => {
  const rows = await tableRows('docs/redaction.md', 'Class');
  expect(rows.map(([name = '']) => quoted(name))).toEqual([...piiClasses]);
  expect(await readFile('docs/redaction.md', 'utf8')).toContain(`\`redact: [${piiClasses.join(', ')}]\``);
  const redact = (await tableRows('docs/endpoints.md', 'Setting')).find(([name]) => name === '`redact`');
  for (const name of piiClasses) expect(redact?.join(' ')).toContain(`\`${name}\``);
});

test('docs/keys.md says what every scope is for', async () => {
  const options = await tableRows('docs/keys.md', 'Option');
  const [, meaning] = options.find(([option]) => option === `\`--scopes ${scopes.join(',')}\``) ?? [];
  expect(meaning, `the row of --scopes ${scopes.join(',')}`).toBeDefined();
  for (const scope of scopes) expect(meaning).toContain(`\`${scope}\` `);
});
