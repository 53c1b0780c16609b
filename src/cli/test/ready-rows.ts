import path from 'node:path';
import { linesOfRows, parseRows, type RowsOfSource, repeatedId } from '../../endpoint-tests/parse-rows.ts';
import { suggestion } from '../../endpoint-tests/read-test-file.ts';
import type { GivenSourceRows, TestCase, TestFile } from '../../endpoint-tests/test-case.ts';
import { GatewayError } from '../../errors.ts';
import type { Problem } from '../../problem.ts';
import type { Source } from '../../sources/source.ts';
import { sourceByName } from '../../sources/source-by-name.ts';
import { fixtureLines } from './fixture-lines.ts';
import { shownPath } from './shown-path.ts';

/** More refused rows of a list or a file aren't described. */
const describedRows = 10;

/** Reads the rows that test files give. Lists and files that several cases share are read once. */
export class RowReader {
  readonly #sources: readonly Source[];
  readonly #folder: string;
  readonly #read = new Map<string, Promise<RowsOfSource | undefined>>();
  readonly problems: Problem[] = [];
  /** The files that were read. */
  readonly fixtures = new Set<string>();

  /** @param folder that of the test file, in which paths of files begin */
  constructor(sources: readonly Source[], folder: string) {
    this.#sources = sources;
    this.#folder = folder;
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
        this.#add(
          file,
          given,
          `two rows have the id ${JSON.stringify(repeated)}, of which an import takes the first`,
        );
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
    const source = sourceByName(this.#sources, given.source);
    if (source === undefined) {
      const names = this.#sources.map(({ name }) => name);
      this.#add(file, given, `unknown source "${given.source}"${suggestion(given.source, names)}`, 'key');
      return undefined;
    }
    return Array.isArray(given.given)
      ? this.#inline(file, given, source, given.given)
      : this.#fromFile(file, given, source, given.given.file);
  }

  #inline(file: TestFile, given: GivenSourceRows, source: Source, rows: readonly unknown[]) {
    const parsed = parseRows(source, linesOfRows(rows));
    if (!('refused' in parsed)) return parsed;
    for (const { number, reason, path: within } of parsed.refused.slice(0, describedRows)) {
      const place = file.locate([...given.path, number - 1, ...within]);
      this.problems.push({
        file: file.file,
        ...place,
        text: `${this.#where(given)} row ${number} of ${given.source}: ${reason}`,
      });
    }
    this.#countFurther(file, given, parsed.refused.length);
    return undefined;
  }

  async #fromFile(file: TestFile, given: GivenSourceRows, source: Source, named: string) {
    const fixture = path.resolve(this.#folder, named);
    this.fixtures.add(fixture);
    try {
      const parsed = parseRows(source, await fixtureLines(fixture, source));
      if (!('refused' in parsed)) return parsed;
      for (const { number, reason } of parsed.refused.slice(0, describedRows)) {
        const text = `not a row of ${given.source}: ${reason}`;
        this.problems.push({ file: shownPath(fixture), line: number, column: 1, text });
      }
      this.#countFurther(file, given, parsed.refused.length);
    } catch (error) {
      const isKnown = error instanceof GatewayError || (error instanceof Error && 'syscall' in error);
      if (!isKnown) throw error;
      const isMissing = 'syscall' in error && 'code' in error && String(error.code) === 'ENOENT';
      const reason = isMissing
        ? `there is no file ${shownPath(fixture)}`
        : `${shownPath(fixture)}: ${error.message}`;
      this.problems.push({ file: file.file, ...file.locate([...given.path, 'file'], 'value'), text: reason });
    }
    return undefined;
  }

  #countFurther(file: TestFile, given: GivenSourceRows, refused: number): void {
    if (refused > describedRows)
      this.#add(file, given, `${refused - describedRows} more rows of ${given.source} do not fit`);
  }

  #add(file: TestFile, given: GivenSourceRows, text: string, what?: 'key' | 'value'): void {
    this.problems.push({ file: file.file, ...file.locate(given.path, what), text });
  }

  /** Names the case, if the rows are those of one. */
  #where({ path: [, index, key] }: GivenSourceRows): string {
    return typeof index === 'number' ? `case ${index + 1}, ${key}:` : 'shared rows:';
  }
}
