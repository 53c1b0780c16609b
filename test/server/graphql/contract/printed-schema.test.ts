import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { schemaCommand } from '../../../../src/cli/schema/schema.ts';

const file = 'schema/gateway.graphql';

test(`${file} is the schema of the included endpoints`, async () => {
  let printed = '';
  const out = (text: string) => {
    printed += text;
  };
  expect(await schemaCommand(readConfig({}), { out, err: out })).toBe(0);
  const isCurrent = printed === (await readFile(file, 'utf8'));
  expect(isCurrent, `It has drifted. Renew it: npm run gateway -- schema --output ${file}`).toBe(true);
});
