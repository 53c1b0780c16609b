import type { Config } from '../../definitions/settings/config.ts';
import type { TestCase } from '../../tools/endpoint-tests/cases/test-file.ts';

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

/**
 * A filter of cases by name: a text, in any letter case, or a pattern between slashes, possibly with flags.
 *
 * @throws SyntaxError for an invalid pattern
 */
export function caseFilter(filter: string | undefined): (test: Pick<TestCase, 'name'>) => boolean {
  if (filter === undefined) return () => true;
  const [, pattern, flags = ''] = /^\/(.+)\/([a-z]*)$/s.exec(filter) ?? [];
  if (pattern === undefined) {
    const text = filter.toLowerCase();
    return ({ name }) => name.toLowerCase().includes(text);
  }
  const regexp = new RegExp(pattern, flags.replace(/[gy]/g, ''));
  return ({ name }) => regexp.test(name);
}
