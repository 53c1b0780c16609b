import { mkdir, writeFile } from 'node:fs/promises';
import { jsonSchemaText, schemaNames } from '../../src/tools/language-server/settings/json-schemas.ts';

await mkdir('schema/json', { recursive: true });
for (const name of schemaNames) {
  await writeFile(`schema/json/${name}.schema.json`, jsonSchemaText(name));
}
