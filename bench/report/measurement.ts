/** What a part has measured. */
export interface Measurement<Data = unknown> {
  readonly data: Data;
  /** Versions of other programs that took part. */
  readonly versions: Readonly<Record<string, string>>;
}
