import { counted } from '../../base/text/counted.ts';
import { exampleCurl } from '../../server/graphql/examples/examples.ts';
import type { SchemaShape } from '../../server/graphql/shape/shape.ts';
import { type ReadyGateway, whereItIs } from '../made-up/where-it-is.ts';

/** Endpoints whose calls are shown. */
const shownEndpoints = 3;

interface GreetedGateway extends ReadyGateway {
  readonly shape: SchemaShape;
  /** Which rows it serves. */
  readonly rows: string;
}

/** The text that `dev` prints when it is ready: commands to paste into a shell. */
export function greeting({ shape: { endpoints }, rows, ...gateway }: GreetedGateway): string {
  const shown = endpoints.slice(0, shownEndpoints);
  const calls = shown.map((shape) => `  ${exampleCurl(shape, gateway.url, gateway.key)}\n`).join('');
  const more = endpoints.length - shown.length;
  const others = more === 0 ? '' : `and ${counted(more, 'further endpoint')}\n`;
  const none = 'There are no endpoints yet. Add a file to ENDPOINTS_DIR.\n';
  return `
${whereItIs(gateway)}
${rows}
${calls === '' ? none : calls}${others}
Files are reloaded when they change. Press Ctrl-C to stop.`;
}
