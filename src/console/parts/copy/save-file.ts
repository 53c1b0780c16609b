/** Lets the browser save a file. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser needs the address until it has begun to save.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A name without what file systems or shells take for something else. */
export function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 80) || 'file';
}
