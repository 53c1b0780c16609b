import { createServer } from 'node:http';

/** Says that it is ready, and gives the same answer to everything, which no gateway would. */
createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 2 });
  response.end('{}');
}).listen(Number(process.env.PORT), '127.0.0.1');
