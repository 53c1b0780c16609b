import { Command, CommanderError } from 'commander';
import { addBackupCommand } from './backup/command.ts';
import { addCheckCommand } from './check/command.ts';
import { addCompletionCommand } from './completion/command.ts';
import { addDemoCommand } from './demo/command.ts';
import { addDevCommand } from './dev/command.ts';
import { addDiffCommand } from './diff/command.ts';
import { addDoctorCommand } from './doctor/command.ts';
import { addExplainCommand } from './explain/command.ts';
import { addExportCommand } from './export/command.ts';
import { addHealthCommand } from './health/command.ts';
import { addImportCommand } from './import/command.ts';
import { addInitCommand } from './init/command.ts';
import { addKeysCommand } from './keys/command.ts';
import { addLqlCommand } from './lql/command.ts';
import { addLspCommand } from './lsp/command.ts';
import { addMcpCommand } from './mcp/command.ts';
import { addNewCommand } from './new/command.ts';
import type { CommandTools } from './options/command-tools.ts';
import { completeHelp, styleHelp } from './output/help.ts';
import { addPackCommand } from './pack/command.ts';
import { addRestoreCommand } from './restore/command.ts';
import { addRowsCommand } from './rows/command.ts';
import { addRunCommand } from './run/command.ts';
import { addSchemaCommand } from './schema/command.ts';
import { addServeCommand } from './serve/command.ts';
import { addSourcesCommand } from './sources/command.ts';
import { addSqlCommand } from './sql/command.ts';
import { addTestCommand } from './test/command.ts';

/** The code of the error that ends the parsing when versions are asked for. */
export const versionAsked = 'commander.version';

/** The commands. Each loads only its own modules when it runs, which keeps the start fast. */
export function createProgram(tools: CommandTools): Command {
  const { out, err } = tools.output;
  const program = new Command('endpoint-gateway')
    .description('Serves stored, parameterised GoogleSQL queries as REST and GraphQL endpoints.')
    .usage('<command> [options]')
    .option('-V, --version', 'show the versions of the program and its engines')
    .on('option:version', () => {
      throw new CommanderError(0, versionAsked, 'the versions');
    })
    // The commands inherit these settings, so that they come first.
    .configureOutput({ writeOut: out, writeErr: err })
    .exitOverride()
    .addHelpCommand(
      new Command('help').description('Show the help of a command').argument('[command]').helpOption(false),
    );
  styleHelp(program);
  addInitCommand(program, tools);
  addDevCommand(program, tools);
  addNewCommand(program, tools);
  addPackCommand(program, tools);
  addServeCommand(program, tools);
  addDemoCommand(program, tools);
  addMcpCommand(program, tools);
  addHealthCommand(program, tools);
  addCheckCommand(program, tools);
  addDiffCommand(program, tools);
  addSchemaCommand(program, tools);
  addLspCommand(program, tools);
  addLqlCommand(program, tools);
  addExplainCommand(program, tools);
  addRunCommand(program, tools);
  addSqlCommand(program, tools);
  addTestCommand(program, tools);
  addImportCommand(program, tools);
  addBackupCommand(program, tools);
  addRestoreCommand(program, tools);
  addDoctorCommand(program, tools);
  addExportCommand(program, tools);
  addRowsCommand(program, tools);
  addSourcesCommand(program, tools);
  addKeysCommand(program, tools);
  addCompletionCommand(program, tools);
  completeHelp(program);
  return program;
}
