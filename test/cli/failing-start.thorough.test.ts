import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';

let workspace: Workspace;
let running: Gateway;

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  running = await Gateway.serve(workspace);
});
afterAll(async () => {
  await running?.stop();
  await workspace?.remove();
});

/** Other settings for a command, and all that it says. */
const failures: [what: string, command: string, settings: () => Record<string, string>, says: RegExp[]][] = [
  [
    'a port that is taken',
    'serve',
    () => ({ DATA_DIR: workspace.path('second'), PORT: new URL(running.url).port }),
    [/^Port \d+ of 127\.0\.0\.1 is in use\. Set PORT to another one\.$/],
  ],
  [
    'an address of another machine',
    'serve',
    () => ({ DATA_DIR: workspace.path('second'), HOST: '192.0.2.1' }),
    [/^HOST: 192\.0\.2\.1 is not an address of this machine$/],
  ],
  [
    'a folder that is a file',
    'serve',
    () => ({ DATA_DIR: 'package.json' }),
    [/^DATA_DIR: the folder .*package\.json can't be used: EEXIST/],
  ],
  [
    'a folder that can not be made',
    'serve',
    () => ({ DATA_DIR: '/proc/data' }),
    [/^DATA_DIR: the folder \/proc\/data can't be used: /],
  ],
  [
    'a folder of endpoints that is missing',
    'serve',
    () => ({ DATA_DIR: workspace.path('second'), ENDPOINTS_DIR: workspace.path('nowhere') }),
    [/nowhere:1:1: cannot be read \(no such file or directory\); ENDPOINTS_DIR names this folder$/],
  ],
  [
    'a source that the demo needs is missing',
    'demo',
    () => ({
      DATA_DIR: workspace.path('third'),
      SOURCES_DIR: workspace.path('tmp'),
      ENDPOINTS_DIR: workspace.path('simple'),
    }),
    [/source .* SOURCES_DIR/],
  ],
];

describe('a command that can not start', () => {
  beforeAll(async () => {
    await mkdir(workspace.path('simple'));
    await workspace.write(
      'simple/one.sql',
      '/*\nid: 00000000-0000-4000-8000-000000000001\nname: a\n*/\nSELECT 1',
    );
  });

  test.each(failures)('says why, one line a reason: %s, %s', async (_what, command, settings, says) => {
    const { code, stdout, stderr } = await workspace.run([command], settings());
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.trimEnd().split('\n')).toEqual(says.map((reason) => expect.stringMatching(reason)));
  });
});
