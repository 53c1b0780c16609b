/** Whether a file is CSV by its name: `.csv` or `.tsv`, possibly with `.gz`. */
export function isCsvName(file: string): boolean {
  return /\.[ct]sv(?:\.gz)?$/i.test(file);
}
