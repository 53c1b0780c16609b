import type { TreeFile } from './tree-file.ts';

/** A version of the endpoints and sources, as an origin has it. */
export interface FetchedVersion {
  /** The commit, or `sha256:` and the digest of the tarball. */
  readonly version: string;
  readonly files: readonly TreeFile[];
}

/** What has endpoints and sources: a repository or a tarball. */
export interface Remote {
  /**
   * Looks for the latest version.
   *
   * @param known the version that is there already, which is not fetched again
   * @returns undefined if the latest is the known one
   * @throws OriginError
   */
  latest(known: string | undefined, signal: AbortSignal): Promise<FetchedVersion | undefined>;
}
