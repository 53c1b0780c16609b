import { stat } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Problem } from '../../base/errors/problem.ts';
import { megabytes } from '../../base/forms/bytes.ts';
import { isFileFailure, isNoFile, UnfitFile } from '../../base/system/read-written-file.ts';
import { realPathIn } from '../../base/system/real-path-in.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { isMerged } from '../../definitions/sources/row-key.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { afterMark } from '../../rows/ingest/body/byte-order-mark.ts';
import { type Line, readLines } from '../../rows/ingest/body/lines.ts';
import { openRowFile } from '../../rows/ingest/row-file.ts';
import type { GivenSourceRows, TestCase, TestFile } from '../../tools/endpoint-tests/cases/test-file.ts';
import { describedRefusals, listedRows, sourceOfRows } from '../../tools/endpoint-tests/check-test-file.ts';
import { parseRows, type RowsOfSource, repeatedId } from '../../tools/endpoint-tests/parse-rows.ts';

interface RowFolders {
  /** That of the test file, in which paths of files begin. */
  readonly start: string;
  /** No file outside of it is read. */
  readonly project: string;
}

/** Reads the rows that test files give. Lists and files that several cases share are read once. */
export class RowReader {
  readonly #sources: readonly Source[];
  readonly #folders: RowFolders;
  readonly #read = new Map<string, Promise<RowsOfSource | undefined>>();
  readonly problems: Problem[] = [];
  /** The files that were read, or can't be. */
  readonly fixtures = new Set<string>();

  constructor(sources: readonly Source[], folders: RowFolders) {
    this.#sources = sources;
    this.#folders = folders;
  }

  /** All rows of a case, by source. Errors are added to `problems`. */
  async rowsOf(file: TestFile, { rows }: TestCase): Promise<RowsOfSource[]> {
    const bySource = new Map<Source, RowsOfSource>();
    for (const given of rows) {
      const read = await this.#once(file, given);
      if (read === undefined) continue;
      const before = bySource.get(read.source);
      const ids = [...(before?.ids ?? []), ...read.ids];
      const repeated = repeatedId(ids);
      if (repeated !== undefined)
        this.problems.push({
          ...{ file: file.file, ...file.locate(given.path) },
          text: `two rows have the id ${JSON.stringify(repeated)}, of which an import takes the ${isMerged(read.source) ? 'last' : 'first'}`,
        });
      bySource.set(read.source, { ...read, ids, parts: [...(before?.parts ?? []), ...read.parts] });
    }
    return [...bySource.values()];
  }

  #once(file: TestFile, given: GivenSourceRows): Promise<RowsOfSource | undefined> {
    const key = given.path.join('\n');
    let read = this.#read.get(key);
    if (read === undefined) {
      read = this.#readRows(file, given);
      this.#read.set(key, read);
    }
    return read;
  }

  async #readRows(file: TestFile, given: GivenSourceRows): Promise<RowsOfSource | undefined> {
    const found = sourceOfRows(file, given, this.#sources);
    if ('problems' in found) return this.#refused(found.problems);
    const { source } = found;
    if (!Array.isArray(given.given)) return this.#fromFile(file, given, source, given.given.file);
    const rows = listedRows(file, given, source, given.given);
    return 'problems' in rows ? this.#refused(rows.problems) : rows;
  }

  #refused(problems: readonly Problem[]): undefined {
    this.problems.push(...problems);
  }

  async #fromFile(file: TestFile, given: GivenSourceRows, source: Source, named: string) {
    const fixture = path.resolve(this.#folders.start, named);
    this.fixtures.add(fixture);
    try {
      const parsed = parseRows(
        source,
        await fixtureLines(await realPathIn(this.#folders.project, fixture), source),
      );
      if (!('refused' in parsed)) return parsed;
      const { described, further } = describedRefusals(file, given, parsed.refused);
      for (const { number, reason } of described) {
        const text = `not a row of ${given.source}: ${reason}`;
        this.problems.push({ file: shownFile(fixture), line: number, column: 1, text });
      }
      this.problems.push(...further);
    } catch (error) {
      if (!(error instanceof GatewayError || isFileFailure(error))) throw error;
      const reason = isNoFile(error)
        ? `there is no file ${shownFile(fixture)}`
        : `${shownFile(fixture)}: ${error instanceof Error ? error.message : String(error)}`;
      this.problems.push({ file: file.file, ...file.locate([...given.path, 'file'], 'value'), text: reason });
    }
    return undefined;
  }
}

/** The rows of a test are few. A larger text, or a larger Parquet file, is no fixture. */
export const maxFixtureBytes = 64_000_000;

const noProgress = { onProgress() {}, onEnd() {} };

/**
 * The rows of a file as lines of NDJSON, as an import reads it.
 *
 * @throws errors of the file system; UnfitFile for what is no file, because a pipe may have no end; GatewayError for a damaged file
 *   and for one beyond `maxFixtureBytes`, decompressed
 */
async function fixtureLines(file: string, source: Source): Promise<Line[]> {
  if (!(await stat(file)).isFile()) throw new UnfitFile('it is not a file');
  const opened = await openRowFile(file, {
    stdin: noInput(),
    memoryLimit: '1GB',
    threads: 1,
    maxTextBytes: maxFixtureBytes,
  });
  try {
    const input = await opened.read(source, noProgress);
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
