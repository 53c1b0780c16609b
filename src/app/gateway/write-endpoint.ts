import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '../../base/errors/errors.ts';
import { exists } from '../../base/system/exists.ts';
import { isCode } from '../../base/system/is-code.ts';
import { fileFailure } from '../../base/system/read-written-file.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { WriteEndpoint } from '../../server/operator/endpoint-file-handler.ts';

const allowedName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * Writes files of new endpoints into a folder. It changes no file that is there.
 *
 * @param endpoints those that are served
 */
export function endpointWriter(
  endpointsDir: string,
  endpoints: () => readonly Pick<Endpoint, 'name' | 'file'>[],
): WriteEndpoint {
  return async (name, text) => {
    if (!allowedName.test(name)) {
      const message = `${JSON.stringify(name)} is no name of an endpoint's file: it has letters, digits, dots, hyphens and underscores.`;
      throw new GatewayError('BAD_USER_INPUT', message);
    }
    const other = endpoints().find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (other !== undefined) {
      const message = `The endpoint ${other.name} in ${other.file} has this name. Choose another one.`;
      throw new GatewayError('BAD_USER_INPUT', message);
    }
    const file = join(endpointsDir, `${name}.sql`);
    try {
      await mkdir(endpointsDir, { recursive: true });
      await writeFile(file, text, { flag: 'wx' });
    } catch (error) {
      const isThere = isCode(error, 'EEXIST') && (await exists(file));
      const reason = isThere
        ? `There is a file ${file} already.`
        : `${file} can't be written (${fileFailure(error)}).`;
      throw new GatewayError('BAD_USER_INPUT', `${reason} Choose another ${isThere ? 'name' : 'folder'}.`);
    }
    return file;
  };
}
