import { counted } from '../../../base/text/counted.ts';
import type { BytesComparison, CallComparison, CallSide } from '../rows/call-comparison.ts';
import { rowCounts } from './row-table.ts';

/** What both versions answered, in one line. */
export function callLine(call: CallComparison): string {
  const { before, after, rows, isSame } = call;
  const time = `${before.milliseconds} ms → ${after.milliseconds} ms`;
  if (rows === undefined) return `${sideText(before)} → ${sideText(after)} (${time})`;
  const sizes =
    before.rows === after.rows && before.isTruncated === after.isTruncated
      ? sideText(after)
      : `${sideText(before)} → ${sideText(after)}`;
  const differences = isSame ? 'all equal' : rowCounts(rows);
  return `${sizes}: ${differences} (${time})`;
}

function sideText({ rows = 0, isTruncated, error }: CallSide): string {
  if (error !== undefined) return error;
  return `${counted(rows, 'row')}${isTruncated === true ? ', cut at maxRows' : ''}`;
}

/** What both versions would read, in one line. */
export function bytesLine({ before, after }: BytesComparison): string {
  const text = (bytes: number | string) => (typeof bytes === 'string' ? bytes : counted(bytes, 'byte'));
  const isCompared =
    typeof before === 'number' && typeof after === 'number' && before > 0 && before !== after;
  const factor = isCompared ? ` (${signed(Math.round(((after - before) / before) * 100))} %)` : '';
  return `${text(before)} → ${text(after)}${factor}`;
}

function signed(percent: number): string {
  return percent > 0 ? `+${percent}` : String(percent);
}
