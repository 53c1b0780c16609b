import { oneLine } from '../text/cell-text.ts';

interface ChartTableProps {
  readonly label: string;
  /** The head of the first column. */
  readonly across: string;
  /** The times or categories. */
  readonly names: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly values: readonly (number | null | undefined)[];
  }[];
  readonly text: (value: number) => string;
}

const maxRows = 1_000;

/** The numbers of a chart. */
export function ChartTable({ label, across, names, series, text }: ChartTableProps) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="plain-table chart-table" tabIndex={0} aria-label={`Numbers of the chart: ${label}`}>
        <table>
          <thead>
            <tr>
              {[across, ...series.map(({ name }) => oneLine(name))].map((head) => (
                <th key={head} scope="col">
                  <bdi>{head}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.slice(0, maxRows).map((name, index) => (
              <tr key={index}>
                <th scope="row">
                  <bdi>{oneLine(name)}</bdi>
                </th>
                {series.map((one) => {
                  const value = one.values[index];
                  return <td key={one.name}>{value == null ? '–' : text(value)}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {names.length > maxRows && (
        <p class="quiet">
          The first {maxRows.toLocaleString('en')} of {names.length.toLocaleString('en')}.
        </p>
      )}
    </>
  );
}
