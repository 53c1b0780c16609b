import { stat } from 'node:fs/promises';

/** The size of a file in bytes; 0 if it can't be read. */
export async function sizeOfFile(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
