import { describe, expect, test } from 'vitest';
import {
  PackageJsonError,
  projectPackageJson,
  projectScripts,
} from '../../../src/cli/project/package-json.ts';

const project = { folder: '/home/ada/Shop Endpoints', version: '1.2.3' };
const extended = (text: string) => projectPackageJson(text, project);

describe('the package.json of a project', () => {
  test('is made where there is none', () => {
    const text = projectPackageJson(undefined, project);
    expect(JSON.parse(text)).toEqual({
      name: 'shop-endpoints',
      private: true,
      type: 'module',
      scripts: projectScripts,
      dependencies: { 'endpoint-gateway': '1.2.3' },
    });
    expect(text).toMatch(/^\{\n {2}"name".*\n\}\n$/s);
  });

  test('has the chosen name', () => {
    expect(JSON.parse(projectPackageJson(undefined, { ...project, name: 'shop' }))).toMatchObject({
      name: 'shop',
    });
  });

  test('extends the one of `npm install` in an empty folder, and keeps the dependency', () => {
    const json = JSON.parse(
      extended('{\n  "dependencies": {\n    "endpoint-gateway": "file:../x.tgz"\n  }\n}\n'),
    );
    expect(json).toMatchObject({
      name: 'shop-endpoints',
      private: true,
      type: 'module',
      scripts: projectScripts,
    });
    expect(json.dependencies).toEqual({ 'endpoint-gateway': 'file:../x.tgz' });
    expect(Object.keys(json).slice(0, 3)).toEqual(['name', 'private', 'type']);
  });

  test('stays as it is where it says something already, and keeps its form', () => {
    const text =
      '{\n\t"name": "app",\n\t"keywords": ["a", "b"],\n\t"scripts": { "dev": "vite", "check": "tsc" },\n\t"devDependencies": { "endpoint-gateway": "^1.0.0" }\n}\n';
    const json = JSON.parse(extended(text));
    expect(json).toMatchObject({ name: 'app', keywords: ['a', 'b'], scripts: { dev: 'vite', check: 'tsc' } });
    expect(json.scripts.start).toBe('endpoint-gateway serve');
    for (const key of ['private', 'type', 'dependencies']) expect(json).not.toHaveProperty(key);
    expect(extended(text)).toContain('\n\t"keywords": ["a", "b"],\n');
  });

  test('has a test in place of the one of `npm init`, which only fails', () => {
    const text = JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } });
    expect(JSON.parse(extended(text)).scripts.test).toBe('endpoint-gateway test');
  });

  test('is unchanged when it lacks nothing', () => {
    const text = projectPackageJson(undefined, project);
    expect(extended(text)).toBe(text);
  });

  test.each([
    ['{"name": ', /it is not JSON/],
    ['[]', /expected object/],
    ['{"name": "endpoint-gateway"}', /one of its own name/],
    ['{"scripts": ["a"]}', /^scripts: /],
    ['{"dependencies": {"a": 1}}', /^dependencies\.a: /],
  ])('is refused if it is %s', (text, reason) => {
    expect(() => extended(text)).toThrow(PackageJsonError);
    expect(() => extended(text)).toThrow(reason);
  });
});
