import type { Paint } from '../../../base/terminal/paint.ts';
import { visibleText, withoutCommand } from '../../../base/terminal/visible-text.ts';
import { type CoverageItem, coveredPercent, type EndpointCoverage } from '../coverage/coverage.ts';

const kinds = { parameter: 'Parameters', branch: 'Branches', column: 'Columns' } as const;

/** A table of what is covered, one endpoint in each line, followed by what isn't. */
export function coverageLines(coverage: readonly EndpointCoverage[], paint: Paint): string[] {
  const rows = [
    ['Coverage', ...Object.values(kinds), 'All'],
    ...coverage.map((each) => [
      visibleText(each.endpoint),
      ...sharesOf(each),
      percentText(coveredPercent([each])),
    ]),
    ...(coverage.length === 1 ? [] : [['All', '', '', '', percentText(coveredPercent(coverage))]]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
  const [head = '', ...rest] = lines;
  const missing = coverage.flatMap(({ endpoint, items }) => {
    const open = items.filter(({ isCovered }) => !isCovered);
    return open.length === 0
      ? []
      : [`Not covered of ${visibleText(endpoint)}:`, ...open.map((item) => `  ${itemText(item)}`)];
  });
  return [paint.bold(head), ...rest, ...(missing.length > 0 ? ['', ...missing] : [])].map(withoutCommand);
}

/** Such as `3/4`; a dash if there is nothing to cover. */
function sharesOf({ items }: EndpointCoverage): string[] {
  return (Object.keys(kinds) as CoverageItem['kind'][]).map((kind) => {
    const own = items.filter((item) => item.kind === kind);
    return own.length === 0 ? '–' : `${own.filter(({ isCovered }) => isCovered).length}/${own.length}`;
  });
}

function itemText({ kind, text, place }: CoverageItem): string {
  return `${kind} ${visibleText(text)}${place === undefined ? '' : ` (line ${place.line})`}`;
}

/** Rounded down: 100 % means everything. */
export function percentText(percent: number): string {
  return `${Math.floor(percent)} %`;
}
