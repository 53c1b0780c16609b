/** Where a command writes what people read: results, and everything else. Nothing is added to the text. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}
