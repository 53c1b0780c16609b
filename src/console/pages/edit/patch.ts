import { structuredPatch } from 'diff';

/** A file before and after. Without a text before, it is new. */
export interface ChangedFile {
  /** In the project. */
  readonly path: string;
  readonly before?: string | undefined;
  readonly after: string;
}

/** The changes as a patch for `git apply`. Empty if nothing has changed. */
export function patchOf(files: readonly ChangedFile[]): string {
  return files.map(patchOfFile).join('');
}

function patchOfFile({ path, before, after }: ChangedFile): string {
  if (before === after) return '';
  const isNew = before === undefined;
  const { hunks } = structuredPatch(path, path, before ?? '', after, undefined, undefined, { context: 3 });
  const head = [
    `diff --git a/${path} b/${path}`,
    ...(isNew ? ['new file mode 100644'] : []),
    `--- ${isNew ? '/dev/null' : `a/${path}`}`,
    `+++ b/${path}`,
  ];
  const ranges = hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`,
    ...lines,
  ]);
  return `${[...head, ...ranges].join('\n')}\n`;
}

/** An empty range begins behind the line before it. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}
