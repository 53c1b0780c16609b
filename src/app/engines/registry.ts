import { type Config, readSettings } from '../../definitions/settings/config.ts';
import type { Environment } from '../../definitions/settings/secret-files.ts';
import { bigQuery } from './bigquery/definition.ts';
import { duckDb } from './duckdb/definition.ts';
import type { EngineDefinition } from './engine/engine-definition.ts';

/** All engines, by the name that ENGINE has for them. */
const engines = new Map<string, EngineDefinition>();

/** Adds an engine. Disposing the result removes it. */
export function registerEngine(engine: EngineDefinition): Disposable {
  engines.set(engine.name, engine);
  return { [Symbol.dispose]: () => void engines.delete(engine.name) };
}

registerEngine(duckDb);
registerEngine(bigQuery);

export function engineNames(): string[] {
  return [...engines.keys()];
}

/** The engine that runs queries. */
export function engineOf({ engine: name }: Pick<Config, 'engine'>): EngineDefinition {
  const engine = engines.get(name);
  if (engine === undefined) throw new TypeError(`no engine ${name}`);
  return engine;
}

/** Whether the engine's rows are in the store of `DATA_DIR`. */
export function isStored(config: Pick<Config, 'engine'>): boolean {
  return engineOf(config).elsewhere === undefined;
}

/**
 * Reads the settings from the environment. An empty variable counts as unset.
 *
 * @throws ConfigError with all problems at once
 */
export function readConfig(environment: Environment): Config {
  return readSettings(environment, [...engines.values()]);
}
