import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Makes a folder for temporary files that only this user can enter: mode 0700. Whoever asks for it removes it. */
export function makePrivateFolder(name: string): Promise<string> {
  return mkdtemp(path.join(tmpdir(), `gateway-${name}-`));
}
