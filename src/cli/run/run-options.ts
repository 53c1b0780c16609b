import type { Writable } from 'node:stream';
import { counted } from '../../base/text/counted.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { CallOptions } from '../call/endpoint-call.ts';

export interface RunOptions extends CallOptions {
  readonly format: OutputFormat;
  /** The same as the format `json`. */
  readonly json?: boolean;
  readonly now?: string;
  readonly engine?: Config['engine'];
  readonly server?: string;
  readonly key?: string;
  readonly quiet?: boolean;
}

export interface RunEnvironment {
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly err: (text: string) => void;
}

/** What `run` reports about the printed rows. */
export interface Answer {
  /** Undefined if they were not counted. */
  readonly rows: number | undefined;
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

/** The forms in which rows are printed. All but `table` are those of REST. */
export const outputFormats = ['table', 'json', 'csv', 'ndjson', 'parquet', 'arrow'] as const;

export type OutputFormat = (typeof outputFormats)[number];
