import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readWrittenFile } from '../../base/system/read-written-file.ts';
import type { EndpointSettings } from '../../definitions/endpoints/settings.ts';
import { endpointFileNames, readSettingsComment } from '../../definitions/endpoints/settings-comment.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Names } from './candidates.ts';

/** The names in the files of the settings, without the analyzer, which takes a second. Files with errors have none. */
export function namesOfFiles({
  endpointsDir,
  sourcesDir,
}: Pick<Config, 'endpointsDir' | 'sourcesDir'>): Names {
  const parametersOf = async (endpoint: string | undefined) =>
    Object.entries((await endpointsIn(endpointsDir)).find(({ name }) => name === endpoint)?.parameters ?? {});
  return {
    endpoints: async () =>
      (await endpointsIn(endpointsDir)).map(({ name, description }) => ({
        text: name,
        meaning: description,
      })),
    sources: async () => {
      const files = await readdir(sourcesDir).catch(() => []);
      return files.filter((file) => /^[^.].*\.json$/.test(file)).map((file) => ({ text: file.slice(0, -5) }));
    },
    parameters: async (endpoint) =>
      (await parametersOf(endpoint)).map(([name, { description = '' }]) => ({
        text: `${name}=`,
        meaning: description,
      })),
    values: async (endpoint, parameter) => {
      const found = (await parametersOf(endpoint)).find(([name]) => name === parameter);
      const [, { type, values } = { type: '', values: undefined }] = found ?? [];
      return (values ?? (type === 'BOOL' ? ['true', 'false'] : [])).map((text) => ({ text }));
    },
  };
}

async function endpointsIn(folder: string): Promise<EndpointSettings[]> {
  const files = await endpointFileNames(folder).catch(() => []);
  const read = files.map(async (file) => {
    const text = await readWrittenFile(join(folder, file)).catch(() => '');
    return readSettingsComment(file, String(text)).settings;
  });
  return (await Promise.all(read)).filter((settings) => settings !== undefined);
}
