import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compileCacheFolder } from '../../../src/base/system/compile-cache.js';

let root: string;
let home: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'compile-cache-'));
  home = join(root, 'home');
  mkdirSync(home, { mode: 0o700 });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the folder of compiled modules', () => {
  const folderOf = (environment: Record<string, string>) => compileCacheFolder(environment, home);

  test('is a private one of the user', () => {
    expect(folderOf({})).toBe(join(home, '.cache/endpoint-gateway'));
    expect(folderOf({ XDG_CACHE_HOME: join(root, 'caches') })).toBe(join(root, 'caches/endpoint-gateway'));
    expect(folderOf({ XDG_CACHE_HOME: 'relative' })).toBe(join(home, '.cache/endpoint-gateway'));
  });

  test('is the one that the environment names, if it does', () =>
    expect(folderOf({ NODE_COMPILE_CACHE: '/elsewhere' })).toBe('/elsewhere'));

  test('does not exist where none is private, or none is wanted', () => {
    expect(folderOf({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBeUndefined();
    expect(compileCacheFolder({}, join(root, 'missing'))).toBeUndefined();
    chmodSync(home, 0o777);
    expect(folderOf({})).toBeUndefined();
  });
});

describe('forged entries in a predictable folder', () => {
  const node = resolve('node_modules/.bin/node');
  const main = resolve('src/cli/main.js');
  const asRoot = test.skipIf(process.getuid?.() !== 0);
  const somebody = 65_534;

  /** What the program prints when it is asked for its help. */
  function printed(environment: Record<string, string>): string {
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: home, ENV_FILE: '/dev/null', TMPDIR: root, ...environment };
    return execFileSync(node, [main, '--help'], { env, encoding: 'utf8' });
  }

  /** Makes a folder of compiled modules in which the program's first TypeScript module is another one. */
  function forge(folder: string): void {
    const caches = mkdtempSync(join(root, 'caches-'));
    printed({ XDG_CACHE_HOME: caches });
    renameSync(join(caches, 'endpoint-gateway'), folder);
    const name = `sourceURL=file://${resolve('src/cli/run-program.ts')}`;
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    );
    // The text of the module without its types ends with it.
    const file = files.find(
      (file) => /\/[0-9a-f]{8}$/.test(file) && readFileSync(file, 'latin1').endsWith(name),
    );
    if (file === undefined) throw new Error('the module was not cached');
    const forged = Buffer.from(`console.log('forged'); process.exit();\n\n//# ${name}`);
    // A number that names the format, the lengths of source and content, and their checksums.
    const header = readFileSync(file).subarray(0, 20);
    header.writeUInt32LE(forged.length, 8);
    header.writeUInt32LE(crc32(forged), 16);
    writeFileSync(file, Buffer.concat([header, forged]));
  }

  const own = () => join(home, '.cache/endpoint-gateway');

  test('would run if the folder were used', () => {
    mkdirSync(join(home, '.cache'), { mode: 0o700 });
    forge(own());
    expect(printed({})).toBe('forged\n');
  });

  test('are not read from the folder that Node uses by default', () => {
    forge(join(root, 'node-compile-cache'));
    expect(printed({})).toContain('Usage: endpoint-gateway');
    // Nor when there is no other.
    expect(printed({ HOME: join(root, 'missing') })).toContain('Usage: endpoint-gateway');
  });

  test('are not read from an own folder that others can write to, or that is a link', () => {
    mkdirSync(join(home, '.cache'), { mode: 0o700 });
    forge(own());
    chmodSync(own(), 0o777);
    expect(printed({})).toContain('Usage: endpoint-gateway');
    chmodSync(own(), 0o700);
    cpSync(own(), join(root, 'elsewhere'), { recursive: true });
    rmSync(own(), { recursive: true });
    symlinkSync(join(root, 'elsewhere'), own());
    expect(printed({})).toContain('Usage: endpoint-gateway');
  });

  asRoot('are not read from a folder of another user', () => {
    mkdirSync(join(home, '.cache'), { mode: 0o700 });
    forge(own());
    chownSync(own(), somebody, somebody);
    expect(printed({})).toContain('Usage: endpoint-gateway');
    chownSync(own(), 0, 0);
    chownSync(join(home, '.cache'), somebody, somebody);
    expect(printed({})).toContain('Usage: endpoint-gateway');
    chownSync(join(home, '.cache'), 0, 0);
    expect(printed({})).toBe('forged\n');
  });
});
