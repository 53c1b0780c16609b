import type { Finding } from '../finding.ts';
import { instantText } from '../store/edge-rows.ts';
import { projectRef } from '../store/projects.ts';
import { busyProject as busy, stored } from './calls.ts';
import { type Compared, type CompareOptions, compareSql } from './compare-sql.ts';
import { apiCountsByHand, type Interval, logsAllByHand } from './hand-written.ts';

const typical = projectRef(300);
const hour = 3_600_000_000n;

/** The stored queries of both endpoints against hand-written SQL. */
export function compareStoredQueries(options: CompareOptions): Promise<Finding[]> {
  return compareSql(cases(options.now), { part: 'sql', maxTimesByHand: 1.3 }, options);
}

function cases(now: bigint): readonly Compared[] {
  const logsAll = (what: string, project: string, span?: bigint): Compared => {
    const bounds = span === undefined ? undefined : { from: now - span, to: now };
    const texts = bounds && {
      iso_timestamp_start: instantText(bounds.from),
      iso_timestamp_end: instantText(bounds.to),
    };
    return {
      what: `logs.all ${what}`,
      byHand: logsAllByHand(project, bounds),
      prepare: stored('logs.all', { project, ...texts }),
    };
  };
  const apiCounts = (interval: Interval, project: string): Compared => ({
    what: `usage.api-counts ${interval}${project === busy ? ', busy project' : ''}`,
    byHand: apiCountsByHand(project, interval, now),
    prepare: stored('usage.api-counts', { project, interval }),
  });
  return [
    logsAll('plain, busy project', busy),
    logsAll('plain', typical),
    logsAll('24 h', typical, 24n * hour),
    logsAll('1 h', typical, hour),
    apiCounts('minutely', typical),
    apiCounts('hourly', typical),
    apiCounts('daily', typical),
    apiCounts('daily', busy),
  ];
}
