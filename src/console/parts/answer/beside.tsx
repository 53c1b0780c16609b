import type { ComponentChildren } from 'preact';

interface BesideProps {
  /** Undefined while no run is kept. */
  readonly kept: KeptRun | undefined;
  /** Drops the kept run. */
  readonly onClose: () => void;
  /** The present run. */
  readonly children: ComponentChildren;
}

export interface KeptRun {
  /** What it was of. */
  readonly title: string;
  readonly rows: ComponentChildren;
}

/** A run that is kept, beside those that come after it. */
export function Beside({ kept, onClose, children }: BesideProps) {
  return (
    <div class={kept === undefined ? '' : 'beside'}>
      {kept !== undefined && (
        <section class="beside-run" aria-label="Kept run">
          <p class="beside-head">
            <strong>Kept run</strong>{' '}
            <code>
              <bdi>{kept.title}</bdi>
            </code>{' '}
            <button type="button" class="small" onClick={onClose}>
              Drop it
            </button>
          </p>
          {kept.rows}
        </section>
      )}
      <div class="beside-run">{children}</div>
    </div>
  );
}

/** Keeps the present run, to see others beside it. */
export function KeepButton({ onKeep }: { readonly onKeep: () => void }) {
  return (
    <button
      type="button"
      title="Keeps these rows, to compare them with those of the next run"
      onClick={onKeep}
    >
      Keep beside
    </button>
  );
}
