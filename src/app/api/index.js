// The package's API. It is written for old versions of Node.js, which get a sentence instead of a syntax error.
const needed = 24;
if (Number.parseInt(process.versions.node, 10) < needed) {
  throw new Error(`endpoint-gateway needs Node.js ${needed} or later, and this is ${process.version}.`);
}
export const { createGateway } = await import('./api.ts');
