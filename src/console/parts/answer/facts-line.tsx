import { bytesText, counted, durationText, spanText } from '../text/number-text.ts';
import type { AnswerFacts } from './answer-facts.ts';

/** The facts of an answer in a line. */
export function FactsLine({ facts }: { readonly facts: AnswerFacts }) {
  const { rows, truncated, milliseconds, engineMilliseconds, slices, bytesBilled, bytesProcessed } = facts;
  return (
    <p class="facts" role="status">
      <span>{counted(rows, 'row')}</span>
      {truncated && (
        <span class="badge badge-warn" title="The query has more rows than the endpoint may return.">
          truncated
        </span>
      )}
      <span class={`badge${facts.source === 'stale' ? ' badge-warn' : ''}`}>{sourceText(facts)}</span>
      <span title={engineMilliseconds === undefined ? '' : `Engine: ${durationText(engineMilliseconds)}`}>
        {durationText(milliseconds)}
      </span>
      {slices !== undefined && (
        <span title="Aggregates of rows by time. Rows of kept slices were read by earlier runs.">
          <meter class="slice-bar" aria-hidden="true" value={slices.kept} max={slices.kept + slices.made} />{' '}
          {counted(slices.kept, 'slice')} kept, {slices.made} made
        </span>
      )}
      {bytesBilled !== undefined && <span>{bytesText(bytesBilled)} billed</span>}
      {bytesBilled === undefined && bytesProcessed !== undefined && (
        <span>{bytesText(bytesProcessed)} read</span>
      )}
    </p>
  );
}

function sourceText({ source, age }: AnswerFacts): string {
  switch (source) {
    case 'engine':
      return 'from the engine';
    case 'shared':
      return 'shared a run';
    case 'cache':
      return `from the cache, ${spanText(age)} old`;
    case 'stale':
      return `out of date, ${spanText(age)} old: a new run has failed`;
  }
}
