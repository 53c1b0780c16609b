import { connect } from 'node:net';
import { EngineServer } from './engine-server.ts';

// It serves the one gateway whose socket it is given, and ends with the connection.
const [, , socket = ''] = process.argv;
const connection = connect(socket);
connection.on('error', (error) => {
  process.stderr.write(`${error.message}\n`);
});
// Not `process.exit`, which would wait for queries that DuckDB is at. What is committed is safe.
connection.on('close', () => process.kill(process.pid, 'SIGKILL'));
new EngineServer(connection);
