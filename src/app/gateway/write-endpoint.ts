import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { GatewayError } from '../../base/errors/errors.ts';
import { isCode } from '../../base/system/is-code.ts';
import { fileFailure } from '../../base/system/read-written-file.ts';
import { readStateOf, writeAsRead } from '../../base/system/write-as-read.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { WriteEndpoint, WrittenText } from '../../server/operator/endpoint-file-handler.ts';

const allowedName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * Writes files of endpoints and of their tests into a folder. A file that is there is replaced only by who has read it as it is.
 *
 * @param endpoints those that are served, and those whose files have errors
 */
export function endpointWriter(
  endpointsDir: string,
  endpoints: () => readonly Pick<Endpoint, 'name' | 'file'>[],
): WriteEndpoint {
  return async (name, { test, ...endpoint }) => {
    const file = join(endpointsDir, fileOf(name, endpoint, endpointsDir, endpoints()));
    const writes = [
      { file, ...endpoint },
      ...(test === undefined ? [] : [{ file: file.replace(/\.sql$/, '.test.yaml'), ...test }]),
    ];
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

/**
 * The name of the file of an endpoint: that of the one which is there, or one made of its name.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
function fileOf(
  name: string,
  { before }: WrittenText,
  endpointsDir: string,
  endpoints: readonly Pick<Endpoint, 'name' | 'file'>[],
): string {
  const same = endpoints.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (same !== undefined && before === undefined) {
    const message = `The endpoint ${same.name} in ${same.file} has this name. Choose another one.`;
    throw new GatewayError('BAD_USER_INPUT', message);
  }
  if (same !== undefined) {
    if (resolve(dirname(same.file)) === resolve(endpointsDir)) return basename(same.file);
    throw new GatewayError('BAD_USER_INPUT', `The endpoint ${same.name} is none of the project.`);
  }
  if (allowedName.test(name)) return `${name}.sql`;
  const message = `${JSON.stringify(name)} is no name of an endpoint's file: it has letters, digits, dots, hyphens and underscores.`;
  throw new GatewayError('BAD_USER_INPUT', message);
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
