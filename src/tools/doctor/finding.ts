/** Something that is wrong with a store or a backup. */
export interface Finding {
  /** What it is about: a name of a file, or a table. */
  readonly part: string;
  /** What is wrong, and what is lost by it. Sentences. */
  readonly problem: string;
  /** What a repair does about it. Undefined if nothing can be done here. */
  readonly repair: string | undefined;
}
