import type { SourceOperations } from '../../api/operations.ts';
import { CountsList } from '../../parts/counts-list.tsx';
import { Empty } from '../../parts/faces/empty.tsx';
import { PlainTable } from '../../parts/plain-table.tsx';
import { bytesText } from '../../parts/text/bytes-text.ts';
import { spanText } from '../../parts/text/time-text.ts';

interface SourceTableProps {
  readonly sources: readonly SourceOperations[];
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** What each source has, and what collectors have sent to it. */
export function SourceTable({ sources, now }: SourceTableProps) {
  if (sources.length === 0) return <Empty title="No sources" />;
  return (
    <PlainTable
      label="Sources"
      heads={['Name', 'Rows', 'Size, about', 'Newest', 'Oldest', 'Retention', 'From collectors', 'Rejected']}
    >
      {sources.map(({ name, rows, bytes, newest, oldest, retentionDays, collected, rejected }) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>{rows?.toLocaleString('en') ?? '–'}</td>
          <td>{bytes === null ? '–' : bytesText(bytes)}</td>
          <td title={newest ?? ''}>{ageText(newest, now)}</td>
          <td title={oldest ?? ''}>{ageText(oldest, now)}</td>
          <td>{retentionDays === null ? 'none' : `${retentionDays} d`}</td>
          <td>
            <CountsList counts={collected} />
          </td>
          <td class={Object.keys(rejected).length > 0 ? 'mistake' : ''}>
            <CountsList counts={rejected} />
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

function ageText(time: string | null, now: number): string {
  if (time === null) return '–';
  const seconds = (now - Date.parse(time)) / 1000;
  return seconds < 0 ? `in ${spanText(-seconds)}` : `${spanText(seconds)} ago`;
}
