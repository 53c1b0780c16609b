import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePrivateFolder } from '../../../src/base/processes/private-folder.ts';
import { listenOnce } from '../../../src/base/processes/private-socket.ts';

let folder: string;
beforeEach(async () => {
  folder = await makePrivateFolder('test');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const mode = (file: string) => (statSync(file).mode & 0o777).toString(8);

test('only this user can connect to a private socket, once', async () => {
  const socket = await listenOnce(folder);
  expect([mode(folder), mode(socket.path)]).toEqual(['700', '600']);
  const dialled = connect(socket.path);
  const connection = await socket.connection;
  expect(existsSync(socket.path)).toBe(false);
  const [error] = await once(connect(socket.path), 'error');
  expect(error.code).toBe('ENOENT');
  dialled.write('a word');
  expect(String((await once(connection, 'data'))[0])).toBe('a word');
  socket.close();
  connection.end('an answer');
  expect(String((await once(dialled, 'data'))[0])).toBe('an answer');
  dialled.end();
});

test('of several concurrent connections, one is accepted', async () => {
  const socket = await listenOnce(folder);
  const heard: number[] = [];
  const ends = Array.from({ length: 5 }, (_, i) => {
    const dialled = connect(socket.path).on('data', () => heard.push(i));
    // Some are refused, others are reset.
    dialled.on('error', () => {});
    return new Promise((resolve) => dialled.once('close', resolve));
  });
  (await socket.connection).end('you');
  await Promise.all(ends);
  expect(heard).toHaveLength(1);
});

test('nobody can connect after its end', async () => {
  const socket = await listenOnce(folder);
  socket.close();
  await expect(socket.connection).rejects.toThrow('Nothing connected to the socket');
  expect(existsSync(socket.path)).toBe(false);
});

test('a path that is too long for some system is refused', async () => {
  const long = path.join(folder, 'x'.repeat(100));
  await mkdir(long);
  await expect(listenOnce(long)).rejects.toThrow('The path of a socket can have at most 103 bytes');
});
