/** Whether a file is CSV by its name: `.csv` or `.tsv`, possibly with `.gz` or `.zst`. */
export function isCsvName(file: string): boolean {
  return /\.[ct]sv(?:\.(?:gz|zst))?$/i.test(file);
}
