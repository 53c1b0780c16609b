import path from 'node:path';
import type { Problem } from '../../base/errors/problem.ts';
import { suggestion } from '../../base/text/suggest.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { Source } from '../../definitions/sources/source.ts';
import { sourceByName } from '../../definitions/sources/source.ts';
import type { GivenSourceRows, TestFile } from './cases/test-file.ts';
import { linesOfRows, parseRows, type RefusedRow, type RowsOfSource } from './parse-rows.ts';
import { endpointFileOf } from './test-paths.ts';

/** More refused rows of a list or a file aren't described. */
const describedRows = 10;

/**
 * The error of a test file without an endpoint.
 *
 * @param names the names of all files of endpoints
 */
export function missingEndpoint({ file }: TestFile, names: readonly string[]): Problem[] {
  const wanted = path.basename(endpointFileOf(file));
  if (names.includes(wanted)) return [];
  const text = `There is no endpoint ${wanted} beside this file${suggestion(wanted, names)}`;
  return [{ file, line: 1, column: 1, text }];
}

/** The errors of cases that have parameters which the endpoint lacks. */
export function unknownParameters(file: TestFile, { parameters }: Pick<Endpoint, 'parameters'>): Problem[] {
  const names = parameters.map(({ name }) => name);
  return file.cases.flatMap((test) =>
    [...test.parameters.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => ({
        file: file.file,
        ...file.locate(['cases', test.index, 'parameters', name]),
        text: `The endpoint has no parameter "${name}"${suggestion(name, names)}`,
      })),
  );
}

/** The source of given rows, or the error that there is none. */
export function sourceOfRows(
  file: TestFile,
  { source: name, path: at }: GivenSourceRows,
  sources: readonly Source[],
): { readonly source: Source } | { readonly problems: readonly Problem[] } {
  const source = sourceByName(sources, name);
  if (source !== undefined) return { source };
  const names = sources.map((each) => each.name);
  const text = `unknown source "${name}"${suggestion(name, names)}`;
  return { problems: [{ file: file.file, ...file.locate(at), text }] };
}

/** The rows of a list as an import reads them, or the errors in them. */
export function listedRows(
  file: TestFile,
  given: GivenSourceRows,
  source: Source,
  rows: readonly unknown[],
): RowsOfSource | { readonly problems: readonly Problem[] } {
  const parsed = parseRows(source, linesOfRows(rows));
  if (!('refused' in parsed)) return parsed;
  const { described, further } = describedRefusals(file, given, parsed.refused);
  const problems = described.map(({ number, reason, path: within }) => ({
    file: file.file,
    ...file.locate([...given.path, number - 1, ...within]),
    text: `${whereIn(given)} row ${number} of ${given.source}: ${reason}`,
  }));
  return { problems: [...problems, ...further] };
}

/** The refused rows to describe, and an error that counts the further ones, at the place of the rows in the test file. */
export function describedRefusals(
  file: TestFile,
  { source, path: at }: GivenSourceRows,
  refused: readonly RefusedRow[],
): { readonly described: readonly RefusedRow[]; readonly further: readonly Problem[] } {
  const more = refused.length - describedRows;
  const further =
    more > 0
      ? [{ file: file.file, ...file.locate(at), text: `${more} more rows of ${source} do not fit` }]
      : [];
  return { described: refused.slice(0, describedRows), further };
}

/** Names the case, if the rows are those of one. */
function whereIn({ path: [, index, key] }: GivenSourceRows): string {
  return typeof index === 'number' ? `case ${index + 1}, ${key}:` : 'shared rows:';
}
