import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { launchGateway } from '../../../src/app/gateway/launch-gateway.ts';
import { openEditing } from '../../../src/tools/endpoint-editing/open-editing.ts';
import { Repository } from '../../app/origin/support/repository.ts';
import { isWithoutChromium } from '../../support/chromium.ts';
import { ConsoleInChromium, key, violations } from './console-in-chromium.ts';

const served = `/*
id: 8a8f8f0e-54ff-4a52-8e22-6e6b9b8f3d01
name: numbers
*/
SELECT 1 AS n
`;
const source = JSON.stringify([
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
]);

describe.skipIf(isWithoutChromium)('the editor over endpoints of a repository', () => {
  let repository: Repository;
  let started: ConsoleInChromium;

  beforeAll(async () => {
    repository = new Repository();
    repository.push({ 'endpoints/numbers.sql': served, 'sources/visits.json': source });
    const folder = await mkdtemp(path.join(tmpdir(), 'gw-'));
    const config = readConfig({
      ...{ PORT: '0', API_KEY: key, DATA_DIR: path.join(folder, 'data'), SHUTDOWN_DELAY_MS: '0' },
      ...{ ENDPOINTS_FROM: `${repository.url}#main`, ENDPOINTS_PUSH_PREFIX: 'console/' },
    });
    const log = { info() {}, warn() {}, error() {} };
    started = new ConsoleInChromium(await launchGateway(config, { log, openEditing }), folder);
  });
  afterAll(async () => {
    await started?.close();
    repository?.remove();
  });

  test('a change is pushed to a branch once, whose name can be copied, and another one to another', async () => {
    const { page, complaints } = await started.open('#/edit/numbers');
    await page.getByText('No errors.').waitFor();
    const push = page.getByRole('button', { name: 'Push a branch', exact: true });
    expect(await push.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0);
    const pushed = async (typed: string) => {
      await page.getByRole('textbox', { name: 'Endpoint file' }).click();
      await page.keyboard.press('Control+End');
      await page.keyboard.type(typed);
      await page.getByText('No errors.').waitFor();
      await push.click();
      await page.getByText(/Pushed to the branch console\/numbers-/).waitFor();
      expect(await push.isDisabled()).toBe(true);
      return page
        .getByRole('status')
        .getByText(/^console\/numbers-/)
        .innerText();
    };
    const first = await pushed('-- first');
    expect(await violations(page)).toEqual([]);
    const picture = process.env.PICTURES;
    if (picture) await page.screenshot({ path: `${picture}/push.png` });
    await page.getByRole('button', { name: 'Copy its name' }).click();
    const second = await pushed(' and second');
    expect(second).not.toBe(first);
    for (const [branch, end] of [
      [first, '-- first'],
      [second, '-- first and second'],
    ] as const)
      expect(repository.git('-C', repository.bare, 'show', `${branch}:endpoints/numbers.sql`)).toBe(
        served + end,
      );
    expect(complaints).toEqual([]);
  });
});
