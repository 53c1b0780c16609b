import { engineOf } from '../../app/engines/registry.ts';
import { loadFaultlessSchema, loadSourceSchemas } from '../../app/schema/load-schema.ts';
import { fileFailure, isFileFailure } from '../../base/system/read-written-file.ts';
import { writeOutputFile } from '../../base/system/write-output-file.ts';
import type { Output } from '../../base/terminal/output.ts';
import { LocalPlanner } from '../../calls/planner/local-planner.ts';
import type { Config } from '../../definitions/settings/config.ts';
import { printContract } from '../../server/graphql/contract.ts';
import { buildSchema } from '../../server/graphql/schema/build-schema.ts';
import { Analyzer } from '../../sql/analyzer/analyzer.ts';
import { analyzerSettings } from '../../sql/analyzer/settings.ts';

interface SchemaOptions {
  /** The file to write to instead of standard output. */
  readonly output?: string;
}

/** The settings that the schema depends on. */
export type SchemaSettings = Pick<
  Config,
  | 'endpointsDir'
  | 'sourcesDir'
  | 'dataDir'
  | 'analyzerMemoryMb'
  | 'engine'
  | 'recordCalls'
  | 'recordCallsDays'
  | 'dataRetentionDays'
>;

/**
 * Prints the GraphQL schema of the endpoints as SDL, without any data.
 *
 * @returns the exit code
 * @throws ProblemsError
 */
export async function schemaCommand(
  config: SchemaSettings,
  { out, err }: Output,
  { output }: SchemaOptions = {},
): Promise<number> {
  const sdl = await schemaText(config);
  if (output === undefined) {
    out(sdl);
    return 0;
  }
  try {
    await writeOutputFile(output, sdl);
    return 0;
  } catch (error) {
    if (!isFileFailure(error)) throw error;
    err(`--output ${output}: the file can't be written (${fileFailure(error)})\n`);
    return 1;
  }
}

/**
 * The GraphQL schema of the endpoints as SDL: the contract that `check --against` compares with.
 *
 * @throws ProblemsError
 */
export async function schemaText(config: SchemaSettings): Promise<string> {
  const sources = await loadSourceSchemas(config);
  const analyzer = await Analyzer.start(analyzerSettings(config));
  try {
    const { shape } = await loadFaultlessSchema(
      config,
      new LocalPlanner(analyzer),
      sources,
      engineOf(config).checkPlan,
    );
    return printContract(buildSchema(shape));
  } finally {
    await analyzer.close();
  }
}
