import type { JobText } from '../sql/job-text.ts';

/** Messages quote values of any length. */
const maxLength = 500;

/** The start of a possible address: the later redaction can't recognise a truncated one. */
const cutAddress = /[0-9a-f:.%]{1,60}$/i;

/**
 * BigQuery's position of an error, `at [3:14]` or `at [3:14-3:20]`: line and column, starting at 1. Only its start is
 * used.
 */
const position = / ?\bat \[(\d{1,9}):(\d{1,9})(?:-\d{1,9}:\d{1,9})?\]/g;

/** A table or job that is not a source: `project:dataset.table`. */
const foreignName = /`?(?<![\w.:/-])[a-z][a-z0-9.-]*:[A-Za-z_][\w-]*\.[\w$*-]+`?/g;

/**
 * BigQuery's message about a query, for its author: positions refer to the text as written, tables are named as their
 * sources, and other tables are not named.
 */
export function querySentence(sentence: string, text: Pick<JobText, 'place' | 'withSources'>): string {
  const shown = text
    .withSources(sentence)
    .replace(position, (_, line: string, column: string) => {
      const place = text.place({ line: Number(line), column: Number(column) });
      return place === undefined ? '' : ` [at ${place.line}:${place.column}]`;
    })
    .replace(foreignName, 'a table')
    .trim();
  if (shown.length <= maxLength) return shown;
  return `${shown.slice(0, maxLength).toWellFormed().replace(cutAddress, '')}...`;
}
