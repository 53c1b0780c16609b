/** Why an aggregation isn't merged from slices: what in it can't be. */
export class NotMergeable extends Error {
  /** The start of its text, in UTF-8 bytes of the query. Undefined for nodes that a rewrite created. */
  readonly byteOffset: number | undefined;

  constructor(construct: string, byteOffset?: number) {
    super(construct);
    this.byteOffset = byteOffset;
  }
}
