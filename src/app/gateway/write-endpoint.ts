import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GatewayError } from '../../base/errors/errors.ts';
import type { WriteEndpoint } from '../../server/operator/endpoint-file-handler.ts';

const allowedName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Writes files of new endpoints into a folder. It changes no file that is there. */
export function endpointWriter(endpointsDir: string): WriteEndpoint {
  return async (name, text) => {
    if (!allowedName.test(name)) {
      const message = `${JSON.stringify(name)} is no name of an endpoint's file: it has letters, digits, dots, hyphens and underscores.`;
      throw new GatewayError('BAD_USER_INPUT', message);
    }
    const file = join(endpointsDir, `${name}.sql`);
    await mkdir(endpointsDir, { recursive: true });
    await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      throw new GatewayError('BAD_USER_INPUT', `There is a file ${file} already. Choose another name.`);
    });
    return file;
  };
}
