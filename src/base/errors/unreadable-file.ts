/**
 * Why a file that was given can't be read, as a sentence without its full stop that names the file and what it is instead.
 *
 * @param file the path as it was given
 * @returns undefined for errors that are not of the file system
 */
export function unreadableFile(file: string, error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `There is no file ${file}`;
    case 'EISDIR':
      return `${file} is a folder, not a file`;
    case 'EACCES':
    case 'EPERM':
      return `This user may not read ${file}`;
    default:
      return `${file}: ${error.message}`;
  }
}
