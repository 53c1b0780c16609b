import type { NonEmpty, Weighted } from '../../made-up-rows/making/random.ts';
import { type Area, type Call, newRay } from '../rows/call.ts';
import { edgeRow } from '../rows/edge-row.ts';
import { type AuthEvent, authRow } from '../rows/service-rows.ts';

/** A kind of request to the authentication service, as it normally succeeds. */
interface Errand {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly status: number;
  /** A typical duration in milliseconds. Checking a password is slow on purpose. */
  readonly millis: number;
  readonly action: string | null;
  readonly grantType: string | null;
  /** Possible failures: the status, the code, and the message. */
  readonly failure: readonly [status: number, code: string, text: string];
}

const wrongPassword = [400, 'invalid_credentials', '400: Invalid login credentials'] as const;
const badToken = [401, 'bad_jwt', '401: token has invalid claims: token is expired'] as const;
const tooMany = [429, 'over_email_send_rate_limit', '429: For security purposes, wait a minute'] as const;
const taken = [422, 'user_already_exists', '422: User already registered'] as const;
const staleRefresh = [400, 'refresh_token_not_found', '400: Invalid refresh token: not found'] as const;

function errand(
  [method, target]: readonly [string, string],
  status: number,
  millis: number,
  [action, grantType]: readonly [string | null, string | null],
  failure: Errand['failure'],
): Errand {
  const [path = '', query] = target.split('?');
  const search = query === undefined ? '' : `?${query}`;
  return { method, path: `/auth/v1${path}`, search, status, millis, action, grantType, failure };
}

const errands: NonEmpty<Weighted<Errand>> = [
  [30, errand(['GET', '/user'], 200, 12, [null, null], badToken)],
  [
    26,
    errand(
      ['POST', '/token?grant_type=refresh_token'],
      200,
      24,
      ['token_refreshed', 'refresh_token'],
      staleRefresh,
    ),
  ],
  [18, errand(['POST', '/token?grant_type=password'], 200, 95, ['login', 'password'], wrongPassword)],
  [6, errand(['POST', '/logout?scope=local'], 204, 15, ['logout', null], badToken)],
  [6, errand(['POST', '/signup'], 200, 130, ['user_signedup', null], taken)],
  [5, errand(['POST', '/otp'], 200, 210, ['user_recovery_requested', null], tooMany)],
  [4, errand(['POST', '/recover'], 200, 190, ['user_recovery_requested', null], tooMany)],
  [3, errand(['GET', '/settings'], 200, 3, [null, null], badToken)],
];

const failureRate = 0.07;
const crashRate = 0.004;

/** A visitor signs in, refreshes a session, signs out, or reads their own account. */
export const visitAuth: Area = (scene) => {
  const { random, visitor } = scene;
  const { failure, millis, action, grantType, ...request } = random.weighted(errands);
  const [status, errorCode, text] = random.chance(crashRate)
    ? ([500, 'unexpected_failure', '500: Database error querying schema'] as const)
    : random.chance(failureRate)
      ? failure
      : ([request.status, null, null] as const);
  const call: Call = {
    ...request,
    status,
    millis: random.duration(millis),
    bytes: status === 204 ? 0 : random.integer(90, 2_400),
    contentType: 'application/json',
    errorCode,
    role: visitor.client.interactive ? 'anon' : 'service_role',
    ray: newRay(scene),
  };
  const event: AuthEvent = { action: text === null ? action : null, grantType, error: text };
  return [edgeRow(scene, call), authRow(scene, call, event)];
};
