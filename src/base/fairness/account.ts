/**
 * Whose share of the gateway something uses: queues give accounts their turn, and memory is counted by them. A token counts
 * for the key of its issuer, and within that for its subject.
 */
export interface Account {
  /** Identifies the key. Neither secret nor a name for people. */
  readonly key: string;
  /** The subject of a token; empty for a key itself. */
  readonly subject: string;
}

/** The account of the gateway's own work. */
export const ownAccount: Account = { key: '', subject: '' };
