import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  readServerFile,
  removeServerFile,
  writeServerFile,
} from '../../../../../src/engines/duckdb/store/file/server-file.ts';
import { temporaryFolder } from '../support.ts';

const info = { pid: 4711, storePid: 4712, url: 'http://127.0.0.1:4000', token: 'secret' };

describe('server.json', () => {
  test('is there for its own user only, from its first moment, until its process removes it', async () => {
    const dataDir = await temporaryFolder();
    await writeServerFile(dataDir, { ...info, pid: 1 });
    await writeServerFile(dataDir, info);
    expect((await stat(join(dataDir, 'server.json'))).mode & 0o777).toBe(0o600);
    expect(await readServerFile(dataDir)).toEqual(info);
    await removeServerFile(dataDir, 1);
    expect(await readServerFile(dataDir)).toEqual(info);
    await removeServerFile(dataDir, info.pid);
    expect(await readServerFile(dataDir)).toBeUndefined();
  });

  test('that cannot be written is reported, and nothing of it remains', async () => {
    const dataDir = await temporaryFolder();
    await mkdir(join(dataDir, 'server.json'));
    await expect(writeServerFile(dataDir, info)).rejects.toThrow(expect.objectContaining({ kind: 'files' }));
    expect(await readdir(dataDir)).toEqual(['server.json']);
  });

  test.each(['', '{"pid": 1', '{"pid": 1}', '{"pid": 1, "url": "nowhere", "token": "x"}'])(
    'says nothing when it holds %j',
    async (text) => {
      const dataDir = await temporaryFolder();
      await writeFile(join(dataDir, 'server.json'), text);
      expect(await readServerFile(dataDir)).toBeUndefined();
    },
  );
});
