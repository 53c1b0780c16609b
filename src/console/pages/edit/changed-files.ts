import type { EndpointFile } from '../../api/editing.ts';
import type { ChangedFile } from './patch.ts';

/** What is written: the file of an endpoint and, if there is one, that of its tests. */
interface WrittenTexts {
  readonly text: string;
  readonly test: string | undefined;
}

/**
 * The files that differ from what is there.
 *
 * @param file the path of the endpoint's file in the project
 */
export function changedFiles(
  file: string,
  { text, test }: WrittenTexts,
  saved: EndpointFile | undefined,
): readonly ChangedFile[] {
  const files: readonly ChangedFile[] = [
    { path: file, before: saved?.text, after: text },
    ...(test === undefined
      ? []
      : [{ path: file.replace(/\.sql$/, '.test.yaml'), before: saved?.test?.text, after: test }]),
  ];
  return files.filter(({ before, after }) => before !== after);
}
