import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Creates a temporary folder that only this user can enter (mode 0700). The caller removes it. */
export function makePrivateFolder(name: string): Promise<string> {
  return mkdtemp(path.join(tmpdir(), `gateway-${name}-`));
}
