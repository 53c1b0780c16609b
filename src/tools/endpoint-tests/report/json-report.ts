import { type Json, jsonText } from '../../../base/text/exact-json.ts';
import { JsonNumber } from '../../../base/text/json-number.ts';
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
  return `${jsonText(asJson(report))}\n`;
}

function rounded(percent: number): number {
  return Math.floor(percent * 10) / 10;
}

function asJson(value: unknown): Json {
  if (typeof value === 'number') return new JsonNumber(String(value));
  if (value instanceof JsonNumber) return value;
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([name, member]) => [name, asJson(member)]));
  }
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}
