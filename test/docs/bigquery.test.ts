import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig } from '../../src/app/engines/registry.ts';
import { errorCatalogue } from '../../src/base/errors/errors.ts';
import { bigquerySettings } from '../../src/definitions/endpoints/bigquery-settings.ts';
import { bigquerySettings as deploymentSettings } from '../../src/definitions/settings/bigquery-settings.ts';
import { failureOf, knownReasons } from '../../src/engines/bigquery/jobs/failures.ts';
import { JobError } from '../../src/engines/bigquery/jobs/job-error.ts';
import { blocksOf, quoted, tableRows } from './markdown.ts';

const file = 'docs/bigquery.md';

/** Of all that is in backquotes: what is there. */
const allQuoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

describe('docs/bigquery.md', () => {
  test('has every setting of the deployment, in order, with that of endpoints', async () => {
    const rows = await tableRows(file, 'Variable');
    const variables = Object.values(deploymentSettings).map(({ variable }) => variable);
    expect(rows.map(([variable = '']) => quoted(variable))).toEqual(variables);
    const known = Object.keys(z.toJSONSchema(bigquerySettings, { io: 'input' }).properties ?? {});
    const shown = rows.flatMap(([, setting = '']) => allQuoted(setting));
    for (const setting of shown) expect(known).toContain(setting);
    const text = await readFile(file, 'utf8');
    for (const setting of known) expect(text).toContain(`\`${setting}\``);
  });

  test('shows settings that can be used', async () => {
    const [, start = ''] = await blocksOf(file, 'sh');
    const environment = Object.fromEntries(
      [...start.matchAll(/([A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    expect(readConfig(environment).engine).toBe('bigquery');
    const [, , mapping = ''] =
      (await tableRows(file, 'Variable')).find(([name]) => name === '`BIGQUERY_TABLES`') ?? [];
    const tables = readConfig({ ...environment, BIGQUERY_TABLES: quoted(mapping) }).bigqueryTables;
    expect(tables.get('edge_logs')).toBe('other-project.logs.edge-2026');
  });

  test('says what becomes of each of BigQuery’s reasons', async () => {
    const rows = await tableRows(file, 'Reason');
    const shown = rows.flatMap(([reasons = '']) => allQuoted(reasons));
    expect(knownReasons.filter((reason) => !shown.includes(reason))).toEqual([]);
    for (const [reasons = '', code = ''] of rows) {
      expect(Object.keys(errorCatalogue)).toContain(quoted(code));
      for (const reason of allQuoted(reasons)) {
        const text = { place: () => undefined, withSources: (sentence: string) => sentence };
        const failure = failureOf(new JobError({ reason, message: 'words' }), { text, maxBytesBilled: 1 });
        expect([reason, failure?.code]).toEqual([reason, quoted(code)]);
      }
    }
  });
});
