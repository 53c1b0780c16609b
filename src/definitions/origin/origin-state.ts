/** Whether the origin of endpoints did not answer, or has what can't be used. */
export type OriginFailure = 'unreachable' | 'unusable';

/** What a gateway shows of the endpoints that it has fetched. */
export interface OriginState {
  /** ENDPOINTS_FROM, without secrets. */
  readonly from: string;
  /** The version that is served: a commit, or `sha256:` and the digest of a tarball. */
  readonly version: string;
  /** When the origin last had no other version that could be used, in milliseconds since the epoch. Undefined if not since the start. */
  readonly confirmedAt: number | undefined;
  /** Why a newer version, if there is one, is not used. */
  readonly failure: { readonly kind: OriginFailure; readonly text: string } | undefined;
}
