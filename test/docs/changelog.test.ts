import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import packageFile from '../../package.json' with { type: 'json' };
import { settingDescriptions } from '../../src/definitions/settings/config.ts';

const changelog = await readFile('CHANGELOG.md', 'utf8');
const versions = Array.from(changelog.matchAll(/^## (.*)$/gm), ([, heading = '']) => heading);

test('the changelog has the form of Keep a Changelog, newest version first', () => {
  const [unreleased, ...released] = versions;
  expect(unreleased).toBe('[Unreleased]');
  for (const heading of released) expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
  const days = released.map((heading) => heading.slice(-10));
  expect(days).toEqual(days.toSorted().reverse());
  const kinds = new Set(Array.from(changelog.matchAll(/^### (.*)$/gm), ([, kind = '']) => kind));
  for (const kind of kinds)
    expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toContain(kind);
});

test('the version of the package is in the changelog, and in the documents that show it', async () => {
  expect(versions.some((heading) => heading.startsWith(`[${packageFile.version}] `))).toBe(true);
  const shown = `"version":"${packageFile.version}"`;
  for (const file of ['docs/operating.md', 'docs/rest.md'])
    expect((await readFile(file, 'utf8')).replaceAll('": "', '":"')).toContain(shown);
});

test('deprecated settings are named in the changelog', () => {
  const deprecated = settingDescriptions.filter(({ meaning }) => meaning.startsWith('Deprecated'));
  const [, ...parts] = changelog.split(/^### Deprecated$/m);
  for (const { variable } of deprecated) expect(parts.join()).toContain(`\`${variable}\``);
});
