import { basename, dirname, resolve } from 'node:path';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { WrittenEndpoint, WrittenText } from '../../server/operator/endpoint-file-handler.ts';

/** An endpoint that is served, or whose file has errors. */
export type NamedFile = Pick<Endpoint, 'name' | 'file'>;

/** A file that is to be written, by its name in the folder of endpoints. */
interface NamedText extends WrittenText {
  readonly name: string;
}

const allowedName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * The files that are to be written for an endpoint: its own, and that of its tests if that is given.
 *
 * @throws GatewayError BAD_USER_INPUT for a name that no file can have, or that another endpoint has
 */
export function namedTexts(
  name: string,
  { test, ...endpoint }: WrittenEndpoint,
  endpointsDir: string,
  endpoints: readonly NamedFile[],
): readonly [NamedText, ...NamedText[]] {
  const file = fileOf(name, endpoint, endpointsDir, endpoints);
  return [
    { name: file, ...endpoint },
    ...(test === undefined ? [] : [{ name: file.replace(/\.sql$/, '.test.yaml'), ...test }]),
  ];
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
  endpoints: readonly NamedFile[],
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
