import type { ComponentChildren } from 'preact';

interface EarlierRowsProps {
  /** What the rows belong to, if not to what is asked now. */
  readonly note: ComponentChildren;
  readonly isLoading: boolean;
  readonly children: ComponentChildren;
}

/** Rows, dimmed with what they belong to, if those of what is asked now are not there. */
export function EarlierRows({ note, isLoading, children }: EarlierRowsProps) {
  const isEarlier = note !== undefined && note !== false;
  return (
    <div class="earlier">
      <div class="earlier-note" role="status">
        {isEarlier && note}
      </div>
      <div class={isEarlier || isLoading ? 'earlier-rows' : ''} aria-busy={isLoading}>
        {children}
      </div>
    </div>
  );
}
