import { connect } from 'node:net';
import { serveEngine } from './engine-server.ts';

// Serves the gateway whose socket it is given, and ends with the connection.
const [, , socket = ''] = process.argv;
const connection = connect(socket);
connection.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
});
// `process.exit` would wait for running DuckDB queries. Committed rows are safe.
connection.on('close', () => process.kill(process.pid, 'SIGKILL'));
serveEngine(connection);
