import { coveredPercent } from '../coverage/coverage.ts';
import { type TestRun, totalsOf } from './result.ts';

/** A run as JSON. The actual rows of failed cases keep all digits of their numbers. */
export function jsonReport(run: TestRun): string {
  const { files, problems, milliseconds, coverage } = run;
  const report = {
    summary: { ...totalsOf(run), milliseconds: Math.round(milliseconds) },
    problems,
    files: files.map(({ file, endpoint, problems, cases }) => ({
      ...{ file, endpoint, problems },
      cases: cases.map(({ name, place, status, milliseconds, reason, failures, rows }) => ({
        ...{ name, status, ...place, milliseconds: Math.round(milliseconds), reason },
        failures: failures.map(({ key, text }) => ({ key, text })),
        rows: status === 'failed' ? rows : undefined,
      })),
    })),
    coverage: coverage && {
      percent: rounded(coveredPercent(coverage)),
      endpoints: coverage.map((each) => ({ ...each, percent: rounded(coveredPercent([each])) })),
    },
  };
  return `${JSON.stringify(report)}\n`;
}

function rounded(percent: number): number {
  return Math.floor(percent * 10) / 10;
}
