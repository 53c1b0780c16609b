import { PlainTable } from '../../../parts/plain-table.tsx';
import { cellText } from '../../../parts/text/cell-text.ts';
import { counted, durationText } from '../../../parts/text/number-text.ts';
import type { ProfileStep, QueryProfile } from './load-performance.ts';

/** The plan of a run as nested boxes: a step gets its rows from those within it. */
export function PlanView({ profile }: { readonly profile: QueryProfile }) {
  const { steps, milliseconds } = profile;
  const all = allSteps(steps);
  const total = all.reduce((sum, step) => sum + step.milliseconds, 0);
  const scanned = all.reduce((sum, step) => sum + (step.scanned ?? 0), 0);
  return (
    <div class="plan">
      <p>
        The run took {durationText(milliseconds)} and read {counted(scanned, 'row')} of tables. Shares are of
        the time of all threads together, {durationText(total)}.
      </p>
      {steps.map((step, at) => (
        <Step key={`${at} ${step.name}`} step={step} total={total} />
      ))}
      <details>
        <summary>The steps that took longest</summary>
        <PlainTable label="Steps" heads={['Step', 'Time', 'Rows']}>
          {all
            .toSorted((one, other) => other.milliseconds - one.milliseconds)
            .slice(0, 10)
            .map((step, at) => (
              <tr key={`${at} ${step.name}`}>
                <td>
                  <bdi>{titleOf(step)}</bdi>
                </td>
                <td class="number">{durationText(step.milliseconds)}</td>
                <td class="number">{step.rows.toLocaleString('en')}</td>
              </tr>
            ))}
        </PlainTable>
      </details>
    </div>
  );
}

function Step({ step, total }: { readonly step: ProfileStep; readonly total: number }) {
  const share = total === 0 ? 0 : step.milliseconds / total;
  return (
    <div class="plan-step">
      <div class="plan-head">
        <strong>
          <bdi>{titleOf(step)}</bdi>
        </strong>
        <span class="quiet">
          {durationText(step.milliseconds)} ({Math.round(share * 100)} %), {counted(step.rows, 'row')}
          {step.scanned !== undefined && ` of ${step.scanned.toLocaleString('en')} read`}
        </span>
      </div>
      <div class="plan-share" aria-hidden="true">
        <div style={{ width: `${share * 100}%` }} />
      </div>
      {step.details.map(({ name, text }) => (
        <p key={name} class="quiet plan-detail">
          {name}: <bdi>{cellText(text)}</bdi>
        </p>
      ))}
      {step.children.length > 0 && (
        <div class="plan-children">
          {step.children.map((child, at) => (
            <Step key={`${at} ${child.name}`} step={child} total={total} />
          ))}
        </div>
      )}
    </div>
  );
}

/** `HASH_GROUP_BY` as words: `Hash group by`. */
function titleOf({ name }: ProfileStep): string {
  const words = name.replaceAll('_', ' ').toLowerCase().trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function allSteps(steps: readonly ProfileStep[]): readonly ProfileStep[] {
  return steps.flatMap((step) => [step, ...allSteps(step.children)]);
}
