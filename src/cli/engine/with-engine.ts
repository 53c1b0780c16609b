import type { Config } from '../../definitions/settings/config.ts';

/** The settings with the engine that an option names. */
export function withEngine(
  config: Config,
  { engine = config.engine }: { readonly engine?: Config['engine'] },
): Config {
  return { ...config, engine };
}
