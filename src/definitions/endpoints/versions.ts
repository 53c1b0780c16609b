import { GatewayError } from '../../base/errors/errors.ts';
import type { Endpoint } from './endpoint.ts';
import { highestVersion } from './settings.ts';

/** All versions of an endpoint that are served, the newest first. */
export function versionsOf(endpoint: Endpoint): readonly Endpoint[] {
  return endpoint.older === undefined ? [endpoint] : [endpoint, ...endpoint.older];
}

/** The digests of all versions of an endpoint that are served: see `version` of an `Endpoint`. */
export function digestsOf(endpoint: Endpoint): readonly string[] {
  return versionsOf(endpoint).map(({ version }) => version);
}

/**
 * The version of an endpoint with a number.
 *
 * @param newest what the caller may call
 * @param pinned as the caller has written it; the newest version if absent
 * @throws GatewayError BAD_USER_INPUT if it is no number, VERSION_GONE if there was such a version, NOT_FOUND if there was none;
 *   BACKEND_UNAVAILABLE if its file has errors
 */
export function versionOf(newest: Endpoint, pinned: string | undefined): Endpoint {
  if (pinned === undefined) return newest;
  const number = numberIn(pinned);
  const found = versionsOf(newest).find((version) => version.number === number);
  if (found !== undefined) return found;
  const name = JSON.stringify(newest.name);
  const there = listed(versionsOf(newest).map((version) => version.number));
  if (number > newest.number) {
    throw new GatewayError(
      'NOT_FOUND',
      `There is no version ${number} of the endpoint ${name}, only ${there}.`,
    );
  }
  if (number >= newest.number - (newest.keep ?? 0)) {
    const message = `Version ${number} of the endpoint ${name} can't be served: its file has errors.`;
    throw new GatewayError('BACKEND_UNAVAILABLE', message);
  }
  throw new GatewayError('VERSION_GONE', `Version ${number} of the endpoint ${name} is gone. Call ${there}.`);
}

function numberIn(pinned: string): number {
  const number = /^[1-9]\d{0,6}$/.test(pinned) ? Number(pinned) : Number.NaN;
  if (number <= highestVersion) return number;
  const shown = JSON.stringify(pinned.slice(0, 60));
  const message = `Parameter "version": expected the number of a version, such as 1, got ${shown}.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'version' });
}

/** The numbers in words, such as `version 3 or 2`. */
function listed(numbers: readonly number[]): string {
  return `version ${numbers.join(' or ')}`;
}
