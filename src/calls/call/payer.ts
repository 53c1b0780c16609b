import type { Account } from '../access/caller/account.ts';

/** Whose budget, share and labels the runs of a call use. None of it changes the answer. */
export interface Payer {
  /** The name of the caller's key, whose budget runs use. */
  readonly key: string;
  /** Whose turn it is when the call has to wait, and whose memory it uses. */
  readonly account: Account;
  /** Bytes that the key may be billed in a day (UTC), if it has a figure of its own. */
  readonly bytesPerDay?: number;
  /** For a token, the key that it was issued under, whose budget runs use as well. */
  readonly issuer?: Pick<Payer, 'key' | 'bytesPerDay'>;
  /** Labels for a job, as sent: `k=v,k2=v2`. */
  readonly labels?: string;
  /** The reservation for a job, as sent. */
  readonly reservation?: string;
}
