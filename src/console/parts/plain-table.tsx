import type { ComponentChildren } from 'preact';

interface PlainTableProps {
  readonly label: string;
  readonly heads: readonly string[];
  /** The rows: `tr` elements. */
  readonly children: ComponentChildren;
}

/** A table of a few rows, which scrolls sideways where it is too wide. */
export function PlainTable({ label, heads, children }: PlainTableProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no part of a form, and no landmark
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div role="group" class="plain-table" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
