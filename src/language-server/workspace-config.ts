import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import type { InitializeParams } from 'vscode-languageserver';
import { z } from 'zod';
import { type Config, engines, readConfig } from '../config.ts';
import { exists } from '../system/exists.ts';

/** What a client can set when it starts the server. Folders are relative to the workspace. */
const options = z.strictObject({
  endpointsDir: z.string().min(1).optional(),
  sourcesDir: z.string().min(1).optional(),
  engine: z.enum(engines).optional(),
});

export const optionNames: readonly string[] = Object.keys(options.shape);

const initializationOptions = options.nullish().transform((given) => given ?? {});

type Environment = Readonly<Record<string, string | undefined>>;

/** The client's options can't be used: the message says why. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

/**
 * The settings of a workspace: those of the environment and of the `.env` in its folder, as other commands read them there,
 * and the client's options, which take precedence. With several folders, the first one counts that has endpoints.
 *
 * @param current the folder that the program runs in, for clients that name none
 * @throws OptionsError, ConfigError
 */
export async function workspaceConfig(
  params: Pick<InitializeParams, 'workspaceFolders' | 'rootUri' | 'initializationOptions'>,
  environment: Environment,
  current: string,
): Promise<Config> {
  const { data: options, error } = initializationOptions.safeParse(params.initializationOptions);
  if (options === undefined) {
    throw new OptionsError(`initializationOptions: ${error?.issues.map(describe).join('; ')}`);
  }
  const candidates = await Promise.all(
    foldersOf(params, current).map(async (folder) => {
      const variables: Environment = { ...(await environmentFile(folder)), ...environment };
      const given = {
        ENDPOINTS_DIR: options.endpointsDir ?? variables.ENDPOINTS_DIR,
        SOURCES_DIR: options.sourcesDir ?? variables.SOURCES_DIR,
      };
      const endpointsDir = path.resolve(folder, given.ENDPOINTS_DIR || 'endpoints');
      const sourcesDir = path.resolve(folder, given.SOURCES_DIR || 'sources');
      const hasEndpoints = await exists(endpointsDir);
      return {
        hasEndpoints,
        environment: {
          ...variables,
          ...(options.engine && { ENGINE: options.engine }),
          ...((given.ENDPOINTS_DIR || hasEndpoints) && { ENDPOINTS_DIR: endpointsDir }),
          ...((given.SOURCES_DIR || (await exists(sourcesDir))) && { SOURCES_DIR: sourcesDir }),
          DATA_DIR: path.resolve(folder, variables.DATA_DIR || 'data'),
        },
      };
    }),
  );
  const chosen = candidates.find(({ hasEndpoints }) => hasEndpoints) ?? candidates[0];
  return readConfig(chosen?.environment ?? environment);
}

function describe({ path: at, message }: z.core.$ZodIssue): string {
  return at.length === 0 ? message : `${at.join('.')}: ${message}`;
}

function foldersOf(
  { workspaceFolders, rootUri }: Pick<InitializeParams, 'workspaceFolders' | 'rootUri'>,
  current: string,
): readonly string[] {
  const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
  const folders = uris.filter((uri) => uri?.startsWith('file:')).map((uri) => fileURLToPath(uri));
  return folders.length > 0 ? folders : [current];
}

async function environmentFile(folder: string): Promise<Environment> {
  try {
    return parseEnv(await readFile(path.join(folder, '.env'), 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}
