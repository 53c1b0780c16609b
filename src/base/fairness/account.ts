/**
 * The owner of a share of the gateway: accounts take turns in queues, and memory is counted by account. A token counts for the
 * key of its issuer, and within that for its subject.
 */
export interface Account {
  /** Identifies the key. Neither secret nor a name for people. */
  readonly key: string;
  /** The subject of a token; empty for a key itself. */
  readonly subject: string;
}

/** The account of the gateway's own work. */
export const ownAccount: Account = { key: '', subject: '' };
