import type { ComponentChildren } from 'preact';

interface EmptyProps {
  readonly title: string;
  /** What to do about it. */
  readonly children?: ComponentChildren;
}

/** Shown where there is nothing to show. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="face">
      <p class="face-title">{title}</p>
      {children}
    </div>
  );
}
