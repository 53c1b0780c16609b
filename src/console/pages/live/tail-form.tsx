import type { RefObject } from 'preact';
import { useId } from 'preact/hooks';
import type { Endpoint } from '../../api/endpoints.ts';
import { ParameterForm } from '../../parts/parameters/parameter-form.tsx';
import type { ParameterMistake } from '../../parts/parameters/parameter-mistakes.ts';
import { type ParameterValues, pairsOf } from '../../parts/parameters/parameter-values.ts';
import { oneLine } from '../../parts/text/cell-text.ts';

interface TailFormProps {
  readonly endpoint: Endpoint;
  readonly values: ParameterValues;
  readonly onValues: (values: ParameterValues) => void;
  readonly lql: string;
  readonly onLql: (lql: string) => void;
  readonly filter: RefObject<HTMLInputElement | null>;
  /** Of the parameters, and of `lql`. */
  readonly mistakes: readonly ParameterMistake[];
  readonly onWatch: () => void;
}

/** What to watch of a table: the parameters of its endpoint, and a filter. */
export function TailForm(props: TailFormProps) {
  const { endpoint, values, onValues, lql, onLql, filter, mistakes, onWatch } = props;
  const id = useId();
  const mistake = mistakes.find(({ parameter }) => parameter === 'lql')?.message;
  const others = mistakes.filter(({ parameter }) => parameter !== 'lql');
  return (
    <form
      class="card live-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onWatch();
      }}
    >
      <div class="live-filter">
        <label for={`${id}-lql`}>Filter</label>
        <input
          id={`${id}-lql`}
          ref={filter}
          type="search"
          autocomplete="off"
          spellcheck={false}
          placeholder="LQL, for example: error -m.level:info"
          value={lql}
          onInput={({ currentTarget }) => onLql(currentTarget.value)}
          aria-invalid={mistake !== undefined}
          aria-describedby={mistake === undefined ? undefined : `${id}-mistake`}
        />
        <button type="submit" class="primary">
          Watch
        </button>
      </div>
      {mistake !== undefined && (
        <p id={`${id}-mistake`} class="mistake live-mistake" role="alert">
          {mistake}
        </p>
      )}
      {endpoint.parameters.length > 0 && (
        <details class="live-parameters" open={others.length > 0}>
          <summary>
            Parameters <span class="quiet">{summaryOf(values)}</span>
          </summary>
          <ParameterForm
            parameters={endpoint.parameters}
            values={values}
            mistakes={others}
            onChange={onValues}
          />
        </details>
      )}
    </form>
  );
}

function summaryOf(values: ParameterValues): string {
  const pairs = pairsOf(values).map(([name, value]) => `${name}: ${oneLine(value.slice(0, 80))}`);
  return pairs.length === 0 ? 'none given' : pairs.join(', ');
}
