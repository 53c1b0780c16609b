import { randomBytes } from 'node:crypto';
import { GatewayError } from '../../base/errors/errors.ts';
import type { PushEndpoint } from '../../server/operator/endpoint-push-handler.ts';
import type { FetchedEndpoints } from '../origin/fetched-endpoints.ts';
import { OriginError } from '../origin/tree/origin-error.ts';
import { treeFolders } from '../origin/tree/tree-file.ts';
import { type NamedFile, namedTexts } from './endpoint-file-names.ts';

interface PusherParts {
  /** How names of branches begin. */
  readonly prefix: string;
  readonly origin: Pick<FetchedEndpoints, 'push'>;
  readonly endpointsDir: string;
  /** Those that are served, and those whose files have errors. */
  readonly endpoints: () => readonly NamedFile[];
}

/** The longest part of a branch's name that is made of an endpoint's. */
const maxPart = 60;
/** What git says of credentials that don't suffice: by HTTP, and in the words of hosts. */
const refusesCredentials =
  /returned error: 40[13]|Authentication failed|could not read (?:Username|Password)|[Pp]ermission|not allowed/;

/** Pushes files of endpoints and of their tests to new branches of the repository from which the endpoints are fetched. */
export function endpointPusher({ prefix, origin, endpointsDir, endpoints }: PusherParts): PushEndpoint {
  return async ({ name, files, author, message }, signal) => {
    const texts = namedTexts(name, files, endpointsDir, endpoints());
    const branch = `${prefix}${branchPart(name)}-${randomBytes(4).toString('hex')}`;
    const change = {
      ...{ branch, author },
      files: texts.map(({ name: file, ...text }) => ({ path: `${treeFolders.endpoints}/${file}`, ...text })),
      message: message ?? `${files.before === undefined ? 'Add' : 'Edit'} endpoint ${inOneLine(name)}`,
    };
    try {
      return { branch, ...(await origin.push(change, signal)) };
    } catch (error) {
      throw shown(error, branch, signal);
    }
  };
}

/** A name with nothing in it that has a meaning in a branch's name. */
function branchPart(name: string): string {
  const part = name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/\.{2,}/g, '.');
  return part.slice(0, maxPart).replace(/^[.-]+/, '') || 'endpoint';
}

/** The names of served endpoints can have any characters. */
function inOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** A failure in words for the operator. */
function shown(error: unknown, branch: string, { aborted, reason }: AbortSignal): unknown {
  if (aborted && reason instanceof GatewayError)
    return new GatewayError(
      reason.code,
      `${reason.message} The repository may have the branch ${branch}, or not.`,
      { cause: error },
    );
  if (aborted) return reason;
  if (!(error instanceof OriginError)) return error;
  const hint = refusesCredentials.test(error.message)
    ? ' The credentials of ENDPOINTS_FROM may have no right to push.'
    : '';
  const message = `The branch ${branch} was not pushed: ${error.message}.${hint}`;
  return new GatewayError('BACKEND_UNAVAILABLE', message, { cause: error });
}
