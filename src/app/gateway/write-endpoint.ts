import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '../../base/errors/errors.ts';
import { isCode } from '../../base/system/is-code.ts';
import { fileFailure } from '../../base/system/read-written-file.ts';
import { readStateOf, writeAsRead } from '../../base/system/write-as-read.ts';
import type { WriteEndpoint, WrittenText } from '../../server/operator/endpoint-file-handler.ts';
import { type NamedFile, namedTexts } from './endpoint-file-names.ts';

/**
 * Writes files of endpoints and of their tests into a folder. A file that is there is replaced only by who has read it as it is.
 *
 * @param endpoints those that are served, and those whose files have errors
 */
export function endpointWriter(endpointsDir: string, endpoints: () => readonly NamedFile[]): WriteEndpoint {
  return async (name, files) => {
    const texts = namedTexts(name, files, endpointsDir, endpoints());
    const writes = texts.map((text) => ({ ...text, file: join(endpointsDir, text.name) }));
    const file = join(endpointsDir, texts[0].name);
    await mkdir(endpointsDir, { recursive: true }).catch((error: unknown) => {
      throw unwritable(file, error);
    });
    // Nothing is written if one of them has changed.
    for (const write of writes) await requireSame(write);
    for (const { file: place, text, before } of writes) {
      await writeAsRead(place, text, before).catch((error: unknown) => {
        throw unwritable(place, error);
      });
    }
    return file;
  };
}

/** @throws GatewayError BAD_USER_INPUT for a file that isn't as its author has read it */
async function requireSame({ file, before }: WrittenText & { readonly file: string }): Promise<void> {
  const state = await readStateOf(file, before).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  if (state === 'exists')
    throw new GatewayError('BAD_USER_INPUT', `There is a file ${file} already. Choose another name.`);
  if (state === 'changed') {
    const message = `${file} has changed since it was read. Open it again, and change what is there now.`;
    throw new GatewayError('BAD_USER_INPUT', message);
  }
}

function unwritable(file: string, error: unknown): GatewayError {
  const message = isCode(error, 'EEXIST')
    ? `There is a file ${file} already. Choose another name.`
    : `${file} can't be written (${fileFailure(error)}). Choose another folder.`;
  return new GatewayError('BAD_USER_INPUT', message);
}
