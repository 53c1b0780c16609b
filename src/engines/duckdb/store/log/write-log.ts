import { writeNew } from '../../../../base/system/replace-file.ts';
import { FileBytes } from '../file/file-bytes.ts';
import type { LogContent } from './plan-log.ts';

/** Writes a new file with the header and commits of a plan. Rejects as `fs` does. */
export async function writeLog(path: string, { header, commits }: LogContent): Promise<void> {
  await writeNew(path, async (to) => {
    await to.writeFile(header);
    for (const { file, from, to: end } of commits) {
      const bytes = await FileBytes.open(file);
      if (bytes === undefined) throw new Error(`${file} is gone`);
      await using _ = bytes;
      for await (const piece of bytes.pieces(from, end)) await to.writeFile(piece);
    }
    await to.sync();
  });
}
