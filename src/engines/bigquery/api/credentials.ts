import { BigQuery } from '@google-cloud/bigquery';
import { type AuthClient, GoogleAuth, gcpMetadata, PassThroughClient } from 'google-auth-library';
import { raceWithAbort } from '../../../base/async/race-with-abort.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { NoAnswer, NoCredentials } from './api-error.ts';

/** Sends requests with credentials. */
export interface Access {
  readonly client: AuthClient;
  /** `authorization` and, if the credentials name one, the project that quotas are charged to. */
  readonly headers: Headers;
}

interface CredentialsOptions {
  readonly project: string;
  /** Whether requests are sent without credentials if none are configured. Then no metadata server is searched for. */
  readonly areOptional: boolean;
  readonly clock: Clock;
}

/** Minimum milliseconds between two lookups of credentials after refusals: they can't be the cause of all of them. */
const renewalMs = 10_000;

/** Milliseconds after which a shared request for a token is abandoned. */
const longestWaitMs = 10_000;

/**
 * Google's application default credentials: the file named by `GOOGLE_APPLICATION_CREDENTIALS`, that of gcloud, or the
 * metadata server. Tokens are cached until shortly before they expire. After a failure, everything is looked up again.
 */
export class Credentials {
  readonly #options: CredentialsOptions;
  #client: Promise<AuthClient> | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /**
   * @throws NoCredentials with the reason, if there are none
   * @throws the signal's reason when it is aborted first
   */
  async access(signal: AbortSignal): Promise<Access> {
    this.#client ??= openClient(this.#options);
    const opened = this.#client;
    try {
      return await raceWithAbort(() => this.#accessBy(opened), signal);
    } catch (error) {
      // A caller's abort must not affect the shared request: others wait for the same token.
      if (signal.aborted && !(error instanceof NoAnswer)) throw error;
      this.#discard(opened);
      if (signal.aborted) throw error;
      throw new NoCredentials(`Google's credentials: ${reasonOf(error)}`);
    }
  }

  /** Limits the wait for a token, for which the client itself has no timeout. */
  async #accessBy(opened: Promise<AuthClient>): Promise<Access> {
    const late = this.#options.clock.after(longestWaitMs, () => this.#discard(opened));
    try {
      const client = await opened;
      return { client, headers: await client.getRequestHeaders() };
    } finally {
      late.cancel();
    }
  }

  /** Called after BigQuery has refused the token. Returns whether there may be another one. */
  async renew({ client }: Access): Promise<boolean> {
    if (client instanceof PassThroughClient) return false;
    if (client !== (await this.#client?.catch(() => undefined))) return true;
    const now = this.#options.clock.elapsed();
    if (now - this.#renewedAt < renewalMs) return false;
    this.#renewedAt = now;
    this.#discard(this.#client);
    return true;
  }

  #discard(opened: Promise<AuthClient> | undefined): void {
    if (this.#client !== opened) return;
    this.#client = undefined;
    gcpMetadata.resetIsAvailableCache();
  }
}

/** Omits the library's message: a `TypeError` about an unexpected response may quote a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error) || error instanceof TypeError)
    return 'an answer of another form than expected';
  return 'status' in error && error.status !== undefined
    ? `${error.message} (HTTP status ${error.status})`
    : error.message;
}

async function openClient({ project, areOptional }: CredentialsOptions): Promise<AuthClient> {
  if (!areOptional) return await new BigQuery({ projectId: project }).authClient.getClient();
  const auth = new ConfiguredAuth({
    projectId: project,
    scopes: ['https://www.googleapis.com/auth/bigquery'],
  });
  try {
    return await auth.getClient();
  } catch (error) {
    if (error instanceof NothingConfigured) return new PassThroughClient();
    throw error;
  }
}

class NothingConfigured extends Error {}

/** Google's search for credentials, stopped before it looks for a metadata server. */
class ConfiguredAuth extends GoogleAuth {
  override async _checkIsGCE(): Promise<boolean> {
    throw new NothingConfigured('no credentials are configured');
  }
}
