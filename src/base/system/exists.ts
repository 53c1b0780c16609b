import { stat } from 'node:fs/promises';

/** Whether there is a file or a folder at a path, as far as this user can see. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** The size of a file in bytes; 0 if it can't be read. */
export async function sizeOfFile(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
