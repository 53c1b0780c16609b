import { CommanderError } from 'commander';
import { readConfig } from '../app/engines/registry.ts';
import { explainFailure } from '../app/failures/explain-failure.ts';
import type { Output } from '../base/terminal/output.ts';
import { type Config, settingWarnings } from '../definitions/settings/config.ts';
import { type LoadedEnvFile, withPlaces } from '../definitions/settings/env-file.ts';
import type { CommandTools } from './options/command-tools.ts';
import { exitCodeOf, exitCodes } from './output/exit-codes.ts';
import { helpOfKnown } from './output/help.ts';
import { createProgram, versionAsked } from './program.ts';

interface CommandLineParts extends Pick<CommandTools, 'shareFiles' | 'lowerPriority'> {
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Adds settings of a file to the environment before the settings are read. By default, there is no file. */
  readonly loadEnvironment?: () => LoadedEnvFile;
}

/**
 * Runs a command. Errors become sentences on standard error.
 *
 * @param args the command with its arguments and options
 * @returns the exit code
 */
export async function runCommandLine(args: readonly string[], parts: CommandLineParts): Promise<number> {
  const { output, shareFiles, lowerPriority } = parts;
  let exitCode: number = exitCodes.success;
  const runWithoutSettings: CommandTools['runWithoutSettings'] = async (command) => {
    try {
      exitCode = await command();
    } catch (error) {
      output.err(`${explainFailure(error)}\n`);
      exitCode = exitCodeOf(error);
    }
  };
  const program = createProgram({
    output,
    run: (command, warnings = 'err') => runWithoutSettings(async () => command(...settings(parts, warnings))),
    runWithoutSettings,
    shareFiles,
    lowerPriority,
  });
  try {
    await program.parseAsync(helpOfKnown(program, args), { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === versionAsked) {
      const { versions } = await import('./versions.ts');
      output.out(await versions());
    }
    return error.exitCode === 0 ? exitCodes.success : exitCodes.wrongUse;
  }
}

const noFile: LoadedEnvFile = { places: new Map(), warnings: [] };

/** Reads the settings. If they are invalid, prints the warnings as well: a missing setting may be misspelt. */
function settings(
  { environment, loadEnvironment = () => noFile, output: { err } }: CommandLineParts,
  receiver: 'log' | 'err',
): [config: Config, warnings: readonly string[]] {
  const { places, warnings: ofFile } = loadEnvironment();
  const warnings = [...settingWarnings(environment), ...ofFile];
  const warn = () => {
    for (const warning of warnings) err(`warning: ${warning}\n`);
  };
  try {
    const config = readConfig(environment);
    if (receiver === 'err') warn();
    return [config, warnings];
  } catch (error) {
    warn();
    throw withPlaces(error, places);
  }
}
