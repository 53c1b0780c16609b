import type { TestCase } from '../../tools/endpoint-tests/cases/test-case.ts';

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
