import { GatewayError } from '../../base/errors/errors.ts';
import { counted } from '../../base/text/counted.ts';
import type { Estimate } from './engine.ts';

/**
 * The error of a query that would read more bytes than it may. Undefined for one that may run.
 *
 * @param maxScanBytes the most bytes that it may read
 */
export function scanRefusal(estimate: Estimate, maxScanBytes: number): GatewayError | undefined {
  const { bytesProcessed } = estimate;
  if (bytesProcessed !== undefined && bytesProcessed <= maxScanBytes) return undefined;
  const limit = `${counted(maxScanBytes, 'byte')} that it may read`;
  const message =
    bytesProcessed === undefined
      ? `How many bytes the query would read is not known before it runs. It may be more than the ${limit}.`
      : `The query would read up to ${counted(bytesProcessed, 'byte')}${rowsOf(estimate)}, which is more than the ${limit}.`;
  return new GatewayError('COST_LIMIT_EXCEEDED', `${message}${heaviestOf(estimate)}`, { maxScanBytes });
}

function rowsOf({ rows }: Estimate): string {
  return rows === undefined ? '' : ` of ${counted(rows, 'row')}`;
}

/** A sentence about the table that weighs most. */
function heaviestOf({ tables = [] }: Estimate): string {
  const [heaviest] = tables;
  if (heaviest === undefined) return '';
  const { name, bytes, rows, isWhole, time } = heaviest;
  const most = `${counted(bytes, 'byte')} of ${counted(rows, 'row')} are in "${name}"`;
  if (!isWhole) return ` ${most}.`;
  return time === undefined
    ? ` ${most}, all of whose rows it may read.`
    : ` ${most}, all of whose rows it may read: no bound of "${time}" leaves any out.`;
}
