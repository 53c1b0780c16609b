import { counted } from '../../base/text/counted.ts';

/** What `run` reports about the printed rows. */
export interface Answer {
  readonly rows: number;
  /** Whether the query has more rows. */
  readonly truncated: boolean;
  /** Further facts: `engine 12 ms`, `1,000 bytes billed`. */
  readonly notes: readonly string[];
}

/**
 * The notes of an answer.
 *
 * @param engineMs how long the engine took, in milliseconds, if that is known
 * @param bytes what was billed, if anything was
 */
export function answerNotes(engineMs: number | undefined, bytes: number | undefined): string[] {
  return [
    ...(engineMs === undefined ? [] : [`engine ${Math.round(engineMs)} ms`]),
    ...(bytes === undefined ? [] : [`${counted(bytes, 'byte')} billed`]),
  ];
}
