import { GoogleError } from '../wire/google-error.ts';
import type { ReceivedRequest } from '../wire/request.ts';

/**
 * Refuses a request without a bearer token, or with a wrong one.
 *
 * @param token the only valid token; undefined accepts any
 */
export function authorize({ headers }: ReceivedRequest, token: string | undefined): void {
  const { authorization } = headers;
  const given = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
  if (authorization === undefined) {
    const message =
      'Request is missing required authentication credential. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
    throw unauthenticated('required', message);
  }
  if (given === undefined || (token !== undefined && given !== token)) {
    const message =
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project.';
    throw unauthenticated('authError', message);
  }
}

function unauthenticated(reason: string, message: string): GoogleError {
  return new GoogleError(
    { reason, message, location: 'Authorization' },
    { status: 401, locationType: 'header' },
  );
}
