import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InitializeParams } from 'vscode-languageserver';
import { z } from 'zod';
import { engineNames, readConfig } from '../../app/engines/registry.ts';
import { exists } from '../../base/system/exists.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { loadEnvFile, withPlaces } from '../../definitions/settings/env-file.ts';

/** What a client can set when it starts the server. Folders are relative to the workspace. */
const optionsSchema = z.strictObject({
  endpointsDir: z.string().min(1).optional(),
  sourcesDir: z.string().min(1).optional(),
  engine: z.enum(engineNames()).optional(),
});

export const optionNames: readonly string[] = Object.keys(optionsSchema.shape);

const initializationOptions = optionsSchema.nullish().transform((given) => given ?? {});

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
  const folders = foldersOf(params, current);
  const candidates = [];
  for (const folder of folders) {
    const candidate = await projectIn(folder, environment, options);
    if (candidate.hasEndpoints) return candidate.read();
    candidates.push(candidate);
  }
  return candidates[0]?.read() ?? readConfig(environment);
}

/** The settings of a folder, which may be invalid until they are read. */
async function projectIn(folder: string, given: Environment, options: z.infer<typeof optionsSchema>) {
  const environment = { ...given };
  const { places } = loadEnvFile(environment, folder);
  const endpoints = options.endpointsDir ?? environment.ENDPOINTS_DIR;
  const sources = options.sourcesDir ?? environment.SOURCES_DIR;
  const endpointsDir = path.resolve(folder, endpoints || 'endpoints');
  const sourcesDir = path.resolve(folder, sources || 'sources');
  const hasEndpoints = await exists(endpointsDir);
  const all: Environment = {
    ...environment,
    ...(options.engine && { ENGINE: options.engine }),
    ...((endpoints || hasEndpoints) && { ENDPOINTS_DIR: endpointsDir }),
    ...((sources || (await exists(sourcesDir))) && { SOURCES_DIR: sourcesDir }),
    DATA_DIR: path.resolve(folder, environment.DATA_DIR || 'data'),
  };
  const read = () => {
    try {
      return readConfig(all);
    } catch (error) {
      throw withPlaces(error, places);
    }
  };
  return { hasEndpoints, read };
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
