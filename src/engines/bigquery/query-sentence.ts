import type { JobText } from './sql/job-text.ts';

/** Sentences quote values, at whatever length. */
const maxLength = 500;

/** What could be the beginning of an address: redaction, which comes later, knows no address by its half. */
const cutAddress = /[0-9a-f:.%]{1,60}$/i;

/** `at [3:14]` or `at [3:14-3:20]`, as BigQuery says where a mistake is: line and column, from 1. Its beginning is told. */
const position = /\s*\bat \[(\d{1,9}):(\d{1,9})(?:-\d{1,9}:\d{1,9})?\]/g;

/** A table, or a job, that is none of the sources: `project:dataset.table`. */
const foreignName = /`?(?<![\w.:/-])[a-z][a-z0-9.-]*:[A-Za-z_][\w-]*\.[\w$*-]+`?/g;

/**
 * What BigQuery says of a query, as its author may read it: places are those of the text as written, tables are called
 * as their sources, and those that aren't ours not at all.
 */
export function querySentence(sentence: string, text: Pick<JobText, 'place' | 'told'>): string {
  const told = text
    .told(sentence)
    .replace(position, (_, line: string, column: string) => {
      const place = text.place({ line: Number(line), column: Number(column) });
      return place === undefined ? '' : ` [at ${place.line}:${place.column}]`;
    })
    .replace(foreignName, 'a table')
    .trim();
  if (told.length <= maxLength) return told;
  return `${told.slice(0, maxLength).toWellFormed().replace(cutAddress, '')}...`;
}
