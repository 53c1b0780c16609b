import type { TreeFile } from './tree-file.ts';

/** A version of the endpoints and sources, as an origin has it. */
export interface FetchedVersion {
  /** The commit, or `sha256:` and the digest of the tarball. */
  readonly version: string;
  readonly files: readonly TreeFile[];
}

/** A file that is to be changed. */
export interface ChangedFile {
  /** Below the folder of endpoints and sources, with `/`: `endpoints/orders.sql`. */
  readonly path: string;
  readonly text: string;
  /** The text that it has. Undefined if it is new. */
  readonly before?: string | undefined;
}

/** A change that is to be on a branch of its own. */
export interface BranchChange {
  /** The name of the branch, which there is not yet. */
  readonly branch: string;
  readonly files: readonly ChangedFile[];
  /** Who has made it. */
  readonly author: string;
  /** One line. */
  readonly message: string;
}

/** A change that is on its branch. */
export interface PushedChange {
  readonly commit: string;
  /** The files that it changes, in the repository. */
  readonly files: readonly string[];
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
  /**
   * Puts a change on a new branch, as one commit on top of a version. Absent where there are no branches.
   *
   * @throws OriginError; GatewayError CONFLICT if a file isn't as it was, BAD_USER_INPUT if nothing is changed; the signal's reason
   */
  push?(change: BranchChange, base: string, signal: AbortSignal): Promise<PushedChange>;
}
