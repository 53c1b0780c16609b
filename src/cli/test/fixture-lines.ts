import { stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { GatewayError } from '../../base/errors/errors.ts';
import { megabytes } from '../../base/forms/bytes.ts';
import { UnfitFile } from '../../base/system/read-written-file.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { afterMark } from '../../rows/ingest/body/byte-order-mark.ts';
import { type Line, readLines } from '../../rows/ingest/body/lines.ts';
import { openRowFile } from '../../rows/ingest/row-file.ts';

/** The rows of a test are few. A larger text, or a larger Parquet file, is no fixture. */
export const maxFixtureBytes = 64_000_000;

const noProgress = { onProgress() {}, onEnd() {} };

/**
 * The rows of a file as lines of NDJSON, as an import reads it.
 *
 * @throws errors of the file system; UnfitFile for what is no file, because a pipe may have no end; GatewayError for a damaged file
 *   and for one beyond `maxFixtureBytes`, decompressed
 */
export async function fixtureLines(file: string, source: Source): Promise<Line[]> {
  if (!(await stat(file)).isFile()) throw new UnfitFile('it is not a file');
  const opened = await openRowFile(file, {
    stdin: noInput(),
    memoryLimit: '1GB',
    threads: 1,
    maxTextBytes: maxFixtureBytes,
  });
  try {
    const input = opened.read(source, noProgress);
    const lines: Line[] = [];
    if ('bytes' in input) {
      const line = (each: Line) => void lines.push(each);
      readLines(afterMark(await buffer(input.bytes)), 1, { line, blankLine() {} });
    } else {
      let length = 0;
      for await (const line of input.lines()) {
        length += line.text.length;
        if (length > maxFixtureBytes)
          throw new GatewayError(
            'PAYLOAD_TOO_LARGE',
            `Its rows are longer than ${megabytes(maxFixtureBytes)}.`,
          );
        lines.push(line);
      }
    }
    return lines;
  } finally {
    opened.close();
  }
}

async function* noInput(): AsyncGenerator<Uint8Array> {}
