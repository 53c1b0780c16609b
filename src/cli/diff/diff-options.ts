import type { Config } from '../../definitions/settings/config.ts';

/** On which rows both versions are run. */
export const rowsToRun = ['tests', 'data', 'all', 'none'] as const;

export const reportFormats = ['text', 'markdown', 'json'] as const;

export interface DiffOptions {
  /** By default, all that cost nothing. */
  readonly rows?: (typeof rowsToRun)[number];
  /** A file of recorded calls. */
  readonly replay?: string;
  readonly format: (typeof reportFormats)[number];
  /** The same as the format `json`. */
  readonly json?: boolean;
  /** How many rows of a call are shown. */
  readonly show?: string;
  readonly now?: string;
  readonly engine?: Config['engine'];
}
