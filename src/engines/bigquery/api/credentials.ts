import { BigQuery } from '@google-cloud/bigquery';
import { type AuthClient, GoogleAuth, gcpMetadata, PassThroughClient } from 'google-auth-library';
import { raceWithAbort } from '../../../async/race-with-abort.ts';
import type { Clock } from '../../../clock.ts';
import { NoAnswer, NoCredentials } from './api-error.ts';

/** What requests are sent by and with. */
export interface Access {
  readonly client: AuthClient;
  /** `authorization` and, where the credentials name one, the project that quotas are counted in. */
  readonly headers: Headers;
}

interface CredentialsOptions {
  readonly project: string;
  /** Whether requests go out without credentials where none are configured. No metadata server is looked for then. */
  readonly areOptional: boolean;
  readonly clock: Clock;
}

/** Milliseconds from one making of credentials anew to the next: they can't be what is wrong with all of them. */
const renewalMs = 10_000;

/** Milliseconds after which nobody waits any more for a token that others have waited for. */
const longestWaitMs = 10_000;

/**
 * Google's application default credentials: the file that `GOOGLE_APPLICATION_CREDENTIALS` names, that of gcloud, or the
 * metadata server. Tokens are kept until shortly before they expire. After a failure everything is looked up again.
 */
export class Credentials {
  readonly #options: CredentialsOptions;
  #client: Promise<AuthClient> | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: CredentialsOptions) {
    this.#options = options;
  }

  /**
   * @throws NoCredentials when there are none, with the reason
   * @throws the signal's reason when it is aborted before
   */
  async access(signal: AbortSignal): Promise<Access> {
    this.#client ??= openClient(this.#options);
    const opened = this.#client;
    try {
      return await raceWithAbort(() => this.#accessBy(opened), signal);
    } catch (error) {
      // A caller who leaves says nothing about the credentials: others wait for the same token.
      if (signal.aborted && !(error instanceof NoAnswer)) throw error;
      this.#forget(opened);
      if (signal.aborted) throw error;
      throw new NoCredentials(`Google's credentials: ${reasonOf(error)}`);
    }
  }

  /** A token that doesn't come might never come, and the client would let everybody wait for it. */
  async #accessBy(opened: Promise<AuthClient>): Promise<Access> {
    const late = this.#options.clock.after(longestWaitMs, () => this.#forget(opened));
    try {
      const client = await opened;
      return { client, headers: await client.getRequestHeaders() };
    } finally {
      late.cancel();
    }
  }

  /** After BigQuery has refused the token: whether there may be another one. */
  async renew({ client }: Access): Promise<boolean> {
    if (client instanceof PassThroughClient) return false;
    if (client !== (await this.#client?.catch(() => undefined))) return true;
    const now = this.#options.clock.elapsed();
    if (now - this.#renewedAt < renewalMs) return false;
    this.#renewedAt = now;
    this.#forget(this.#client);
    return true;
  }

  #forget(opened: Promise<AuthClient> | undefined): void {
    if (this.#client !== opened) return;
    this.#client = undefined;
    gcpMetadata.resetIsAvailableCache();
  }
}

/** Never holds a token: a `TypeError` of the library's, from an answer that it doesn't expect, may quote it. */
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

/** Google's search for credentials, ended where it would go on to look for a metadata server. */
class ConfiguredAuth extends GoogleAuth {
  override async _checkIsGCE(): Promise<boolean> {
    throw new NothingConfigured('no credentials are configured');
  }
}
