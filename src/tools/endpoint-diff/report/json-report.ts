import { canDiffer, type DiffReport, verdictOf } from './diff-report.ts';

/**
 * The report as one JSON document.
 *
 * @param maxRows how many rows of each kind a call has at most
 */
export function jsonReport(report: DiffReport, maxRows: number): string {
  const endpoints = report.endpoints.map(({ compared, ...endpoint }) => ({
    ...endpoint,
    formerColumns: Object.fromEntries(endpoint.formerColumns),
    verdict: verdictOf(endpoint),
    ...(compared && {
      compared: {
        ...compared,
        calls: compared.calls.map(({ rows, ...call }) => ({
          ...call,
          ...(rows && {
            rows: {
              ...rows,
              counts: {
                added: rows.added.length,
                removed: rows.removed.length,
                changed: rows.changed.length,
              },
              added: rows.added.slice(0, maxRows),
              removed: rows.removed.slice(0, maxRows),
              changed: rows.changed.slice(0, maxRows),
            },
          }),
        })),
      },
    }),
  }));
  return `${JSON.stringify({ ...report, canDiffer: canDiffer(report), endpoints }, null, 2)}\n`;
}
