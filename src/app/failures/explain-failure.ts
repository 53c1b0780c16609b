import { CommandError } from '../../base/errors/command-error.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { formatProblem } from '../../base/errors/problem.ts';
import { KeyStoreError } from '../../calls/access/store/key-store.ts';
import { ConfigError } from '../../definitions/settings/config.ts';
import { StoreError } from '../../engines/duckdb/store/file/store-error.ts';
import { AnalyzerUnavailableError } from '../../sql/analyzer/error.ts';
import { ProblemsError } from '../schema/load-schema.ts';

/**
 * The message for the operator when a command fails. Only defects show a stack. All other messages say how to fix the
 * problem.
 */
export function explainFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.join('\n');
  if (error instanceof ProblemsError) return error.problems.map(formatProblem).join('\n');
  if (error instanceof StoreError)
    return error.kind === 'schema' ? error.message : `DATA_DIR: ${error.message}`;
  if (error instanceof GatewayError || error instanceof CommandError) return error.message;
  if (error instanceof AnalyzerUnavailableError || error instanceof KeyStoreError) return error.message;
  if (!(error instanceof Error)) return String(error);
  return explainListening(error) ?? error.stack ?? error.message;
}

/** Explains failures to listen, as thrown by node:net. */
function explainListening(
  error: NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string },
) {
  const { code, syscall, address, port, hostname } = error;
  if (syscall === 'getaddrinfo') return `HOST: unknown host ${JSON.stringify(hostname)} (${code})`;
  if (syscall !== 'listen') return undefined;
  if (code === 'EADDRINUSE') return `Port ${port} of ${address} is in use. Set PORT to another one.`;
  if (code === 'EACCES')
    return `This user can't listen on port ${port} of ${address}. Set PORT to another one.`;
  if (code === 'EADDRNOTAVAIL') return `HOST: ${address} is not an address of this machine`;
  return `The gateway can't listen on port ${port} of ${address} (${code})`;
}
