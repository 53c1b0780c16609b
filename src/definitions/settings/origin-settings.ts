import { join } from 'node:path';
import { z } from 'zod';
import { type EndpointsOrigin, parseBranchPrefix, parseOrigin } from '../origin/endpoints-origin.ts';
import { parsePublicKeys } from '../origin/public-keys.ts';
import type { Environment } from './secret-files.ts';
import { integer, secret, setting } from './setting.ts';

/** Where endpoints and sources are fetched from, if they are not in folders of this machine. */
export const originSettings = {
  endpointsFrom: secret(
    setting(
      'ENDPOINTS_FROM',
      parsed(parseOrigin),
      'none',
      'Git repository or tarball that has the endpoints and sources, [instead of folders](deploying.md#endpoints-from-git-or-a-bucket): `git+https://host/repository.git#branch` or `https://host/endpoints.tar#sha256=…`.',
    ),
  ),
  endpointsToken: secret(
    setting(
      'ENDPOINTS_TOKEN',
      z
        .string()
        .regex(/^[\x21-\x7e]+$/, 'expected visible ASCII characters without spaces')
        .optional(),
      'none',
      'Token that is sent to the host of `ENDPOINTS_FROM`.',
    ),
  ),
  endpointsPublicKey: setting(
    'ENDPOINTS_PUBLIC_KEY',
    parsed(parsePublicKeys),
    'none',
    'Ed25519 key with which the tarball of `ENDPOINTS_FROM` must be signed, in PEM or as the base64 within it. Several are separated by commas: one must match.',
  ),
  endpointsPushPrefix: setting(
    'ENDPOINTS_PUSH_PREFIX',
    parsed(parseBranchPrefix),
    'none',
    'How the names of the branches begin that the console [pushes](deploying.md#branches-from-the-console) to the git repository of `ENDPOINTS_FROM`, such as `console/`. If it is not set, none is pushed.',
  ),
  endpointsPollSeconds: setting(
    'ENDPOINTS_POLL_SECONDS',
    integer(60, 0, 86_400),
    '60',
    'Seconds from one look for new endpoints at `ENDPOINTS_FROM` to the next, plus or minus a tenth. 0 means that only a [reload](endpoints.md#reloading) looks.',
  ),
};

/** The text of a variable, if it is set, as a parser that throws Errors reads it. */
function parsed<T>(parse: (text: string) => T) {
  return z
    .string()
    .transform((text, context) => {
      try {
        return parse(text);
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message });
        return z.NEVER;
      }
    })
    .optional();
}

/** Where the fetched endpoints and sources of an origin are: see `KeptVersions`. */
export function originFolder(dataDir: string, { id }: EndpointsOrigin): string {
  return join(dataDir, 'fetched', id);
}

/** The folders with the version in use. */
export function fetchedFolders(dataDir: string, origin: EndpointsOrigin) {
  const current = join(originFolder(dataDir, origin), 'current');
  return { endpointsDir: join(current, 'endpoints'), sourcesDir: join(current, 'sources') };
}

/** What is wrong with these settings together, each starting with the variable. */
export function originProblems(
  origin: EndpointsOrigin | undefined,
  hasKey: boolean,
  environment: Environment,
): string[] {
  const needsGit = environment.ENDPOINTS_PUSH_PREFIX && origin?.kind !== 'git';
  const unpushable = needsGit ? ['ENDPOINTS_PUSH_PREFIX: needs a git repository in ENDPOINTS_FROM'] : [];
  if (origin === undefined) return unpushable;
  const folders = ['ENDPOINTS_DIR', 'SOURCES_DIR'].filter((variable) => environment[variable]);
  const conflicts = [
    ...folders.map((variable) => `${variable}: not together with ENDPOINTS_FROM`),
    ...unpushable,
  ];
  if (origin.kind === 'git' || origin.sha256 !== undefined || hasKey) return conflicts;
  const unproved =
    'ENDPOINTS_FROM: a tarball needs its digest after the URL, as #sha256=…, or ENDPOINTS_PUBLIC_KEY';
  return [...conflicts, unproved];
}
