import type { ChartChoice } from '../chart/chart-choice.ts';
import type { BeforeRows } from '../chart/chart-data.ts';
import { ChartView } from '../chart/chart-view.tsx';
import { Empty } from '../faces/faces.tsx';
import { DataTable } from '../table/data-table.tsx';
import type { TableColumn } from '../table/table-column.ts';
import type { TimeRange } from '../time/time-range.ts';
import type { Answer } from './answer.ts';
import { FactsLine } from './facts-line.tsx';

interface AnswerViewProps {
  readonly label: string;
  readonly answer: Answer;
  readonly columns: readonly TableColumn[];
  /** The chart that was chosen; by default, the one that suits the columns best. */
  readonly chart?: ChartChoice | undefined;
  readonly onRange?: ((range: TimeRange) => void) | undefined;
  /** Called with the chart that the user has chosen. */
  readonly onChart?: ((choice: ChartChoice) => void) | undefined;
  /** The rows of the period before, to compare with in the chart. */
  readonly before?: BeforeRows | undefined;
}

/** An answer: its facts, a chart if its columns allow one, and its rows. */
export function AnswerView({ label, answer, columns, chart, onRange, onChart, before }: AnswerViewProps) {
  const { rows, facts } = answer;
  return (
    <div class="answer">
      <FactsLine facts={facts} />
      {rows.length === 0 ? (
        <Empty title="No rows">
          <p class="quiet">The query has run and found nothing for these values.</p>
        </Empty>
      ) : (
        <>
          <ChartView {...{ label, rows, columns, onRange, before }} choice={chart} onChoice={onChart} />
          <DataTable label={label} columns={columns} rows={rows} />
        </>
      )}
    </div>
  );
}
