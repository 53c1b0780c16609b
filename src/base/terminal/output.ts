/** Where a command writes: results to `out`, everything else to `err`. Texts are written unchanged. */
export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}
