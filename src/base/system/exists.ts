import { stat } from 'node:fs/promises';

/** Whether there is a file or a folder at a path, as far as this user can see. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
