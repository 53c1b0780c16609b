import { lowerThisThread } from '../base/system/priority.ts';
import { loadEnvFile } from '../definitions/settings/env-file.ts';
import { exitCodes } from './output/exit-codes.ts';
import { runCommandLine } from './run-command-line.ts';

// Files are private to this user: DuckDB creates files of rows with the process's default mode. Commands that write
// files for others restore the user's umask.
const umaskOfUser = process.umask(0o077);

// The reader of a pipe, such as `head`, has enough. Commands that have something to end first listen themselves.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.brokenPipe);
});
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  output: {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  },
  environment: process.env,
  loadEnvironment: () => loadEnvFile(process.env),
  shareFiles: () => void process.umask(umaskOfUser),
  // Threads that start later have its priority, too.
  lowerPriority: lowerThisThread,
});
