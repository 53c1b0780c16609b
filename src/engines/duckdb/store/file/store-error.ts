/**
 * Why a store can't be opened, in words for the person who runs the gateway. Callers never see it, because the gateway
 * serves nothing without its store.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly kind: StoreErrorKind;
  /** The process that has the store open, if the kind is `locked` and the system reports it. */
  readonly holder: number | undefined;

  constructor(kind: StoreErrorKind, message: string, cause?: unknown, holder?: number) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.holder = holder;
  }
}

export type StoreErrorKind =
  /** Another process has the store open. */
  | 'locked'
  /** The file is not a store, or one of another version. */
  | 'format'
  /** A source's schema doesn't fit its stored rows, or can't be stored at all. */
  | 'schema'
  /** The file or its folder can't be read or written. */
  | 'files';
