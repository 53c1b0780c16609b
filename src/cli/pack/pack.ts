import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import { basename } from 'node:path';
import { signatureSuffix } from '../../app/origin/archive/archive-remote.ts';
import { readFolders } from '../../app/origin/tree/read-folders.ts';
import { treeFolders } from '../../app/origin/tree/tree-file.ts';
import { writeTar } from '../../app/origin/tree/write-tar.ts';
import { CommandError, readableError, unreadableFile } from '../../base/errors/command-error.ts';
import { readWrittenFile } from '../../base/system/read-written-file.ts';
import { openOutputFile } from '../../base/system/write-output-file.ts';
import type { Output } from '../../base/terminal/output.ts';
import { counted } from '../../base/text/counted.ts';
import type { Config } from '../../definitions/settings/config.ts';

interface PackOptions {
  /** The file to write. */
  readonly output: string;
  /** A file with the key that signs, in PEM. */
  readonly sign?: string;
}

/** Writes a tarball of the endpoints and sources, and prints the settings with which a gateway fetches it. */
export async function packCommand(
  config: Pick<Config, 'endpointsDir' | 'sourcesDir'>,
  { out }: Pick<Output, 'out'>,
  { output: file, sign: keyFile }: PackOptions,
): Promise<number> {
  const key = keyFile === undefined ? undefined : await readKey(keyFile);
  const files = await readFolders(config).catch((error) => {
    throw readableError(error);
  });
  if (!files.some(({ path }) => path.startsWith(`${treeFolders.endpoints}/`)))
    throw new CommandError(`${config.endpointsDir} has no files`);
  const tar = await writeTar(files);
  await write(file, tar);
  const lines = [
    `${file}: ${counted(files.length, 'file')}, ${counted(tar.length, 'byte')}`,
    `ENDPOINTS_FROM=https://<host>/${basename(file)}${key === undefined ? `#sha256=${hash('sha256', tar)}` : ''}`,
  ];
  if (key !== undefined) {
    const signature = `${file}${signatureSuffix}`;
    await write(signature, Buffer.from(`${sign(null, tar, key).toString('base64')}\n`));
    const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
    lines.push(`ENDPOINTS_PUBLIC_KEY=${publicKey}`, `sha256:${hash('sha256', tar)}, signed in ${signature}`);
  }
  out(`${lines.join('\n')}\n`);
  return 0;
}

async function write(file: string, bytes: Buffer): Promise<void> {
  try {
    await using handle = await openOutputFile(file);
    await handle.writeFile(bytes);
  } catch (error) {
    throw readableError(error);
  }
}

async function readKey(file: string): Promise<KeyObject> {
  const pem = await readWrittenFile(file).catch((error) => {
    throw new CommandError(unreadableFile(file, error) ?? `${file}: ${error.message}`, error);
  });
  const key = parsedKey(pem);
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new CommandError(
    `${file} has no private Ed25519 key in PEM. To make one, run openssl genpkey -algorithm ed25519 -out ${file}`,
  );
}

function parsedKey(pem: Buffer): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
