import path from 'node:path';
import { describedRefusals, listedRows, sourceOfRows } from '../../endpoint-tests/check-test-file.ts';
import { parseRows, type RowsOfSource, repeatedId } from '../../endpoint-tests/parse-rows.ts';
import type { GivenSourceRows, TestCase, TestFile } from '../../endpoint-tests/test-case.ts';
import { GatewayError } from '../../errors.ts';
import type { Problem } from '../../problem.ts';
import type { Source } from '../../sources/source.ts';
import { shownFile } from '../../system/shown-file.ts';
import { fixtureLines } from './fixture-lines.ts';

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
        this.problems.push({
          ...{ file: file.file, ...file.locate(given.path) },
          text: `two rows have the id ${JSON.stringify(repeated)}, of which an import takes the first`,
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
    const fixture = path.resolve(this.#folder, named);
    this.fixtures.add(fixture);
    try {
      const parsed = parseRows(source, await fixtureLines(fixture, source));
      if (!('refused' in parsed)) return parsed;
      const { described, further } = describedRefusals(file, given, parsed.refused);
      for (const { number, reason } of described) {
        const text = `not a row of ${given.source}: ${reason}`;
        this.problems.push({ file: shownFile(fixture), line: number, column: 1, text });
      }
      this.problems.push(...further);
    } catch (error) {
      const isKnown = error instanceof GatewayError || (error instanceof Error && 'syscall' in error);
      if (!isKnown) throw error;
      const isMissing = 'syscall' in error && 'code' in error && String(error.code) === 'ENOENT';
      const reason = isMissing
        ? `there is no file ${shownFile(fixture)}`
        : `${shownFile(fixture)}: ${error.message}`;
      this.problems.push({ file: file.file, ...file.locate([...given.path, 'file'], 'value'), text: reason });
    }
    return undefined;
  }
}
