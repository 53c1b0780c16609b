import type { Config } from '../../definitions/settings/config.ts';

export const reporters = ['default', 'junit', 'github', 'json'] as const;

/** The options of `test`. */
export interface TestOptions {
  /** A text in names of cases, or a `/pattern/`. */
  readonly filter?: string;
  readonly watch?: boolean;
  readonly update?: boolean;
  readonly reporter?: (typeof reporters)[number];
  readonly json?: boolean;
  /** A file for the report. */
  readonly output?: string;
  readonly quiet?: boolean;
  readonly coverage?: boolean;
  /** In percent. */
  readonly minCoverage?: number;
  /** What the clock shows to cases that don't say it: a time, or an age. */
  readonly now?: string;
  readonly engine?: Config['engine'];
  readonly dryRun?: boolean;
}
