/** Formats a number of bytes in millions, rounded up: `1,200 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
}
