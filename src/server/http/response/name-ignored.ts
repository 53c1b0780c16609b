import type { ServerResponse } from 'node:http';
import { withoutKeys } from '../../../calls/access/key/key-text.ts';
import { addToHeader } from './response-head.ts';

/** Names in the header: enough for typos. */
const maxNames = 10;
const maxLength = 60;

/**
 * Names the parameters of a request that nothing reads in the header `X-Ignored-Parameters` of its response: percent-encoded,
 * separated by commas.
 *
 * @returns whether there are any
 */
export function nameIgnored(response: ServerResponse, ignored: ReadonlySet<string>): boolean {
  if (ignored.size === 0) return false;
  const names = [...ignored]
    .slice(0, maxNames)
    .map((name) => encodeURIComponent(withoutKeys(name).toWellFormed().slice(0, maxLength).toWellFormed()));
  addToHeader(response, 'X-Ignored-Parameters', names.join(', '));
  return true;
}
