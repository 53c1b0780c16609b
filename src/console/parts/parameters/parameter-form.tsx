import type { Parameter } from '../../api/endpoints.ts';
import { parseRange, presets, rangeTitle } from '../time/time-range.ts';
import { useZone } from '../time/use-zone.ts';
import { ParameterField } from './parameter-field.tsx';
import type { ParameterMistake } from './parameter-values.ts';
import {
  type ParameterValues,
  type RangeParameters,
  rangeParameters,
  withValue,
} from './parameter-values.ts';

interface ParameterFormProps {
  readonly parameters: readonly Parameter[];
  readonly values: ParameterValues;
  readonly mistakes: readonly ParameterMistake[];
  readonly onChange: (values: ParameterValues) => void;
  /** Called with values that a click has chosen, to run with at once. */
  readonly onRun: (values: ParameterValues) => void;
}

/** A field for each parameter. */
export function ParameterForm({ parameters, values, mistakes, onChange, onRun }: ParameterFormProps) {
  const range = rangeParameters(parameters);
  return (
    <div class="parameters">
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={values.get(parameter.name)}
          mistake={mistakes.find((mistake) => mistake.parameter === parameter.name)?.message}
          onChange={(value) => onChange(withValue(values, parameter.name, value))}
        />
      ))}
      {range && <Spans range={range} values={values} onRun={onRun} />}
    </div>
  );
}

interface SpansProps extends Pick<ParameterFormProps, 'values' | 'onRun'> {
  readonly range: RangeParameters;
}

/** Ranges to run with, by a click. */
function Spans({ range, values, onRun }: SpansProps) {
  const { start, end } = range;
  const [zone] = useZone();
  const names = [start.name, end.name];
  // The text of the range, not its times: they are those of each run.
  const use = (text: string) => onRun(new Map([...values, ...names.map((name) => [name, text] as const)]));
  const clear = () => onRun(withValue(withValue(values, start.name, ''), end.name, ''));
  return (
    <fieldset class="chips">
      <legend class="quiet">Run with</legend>
      {presets.map((text) => {
        const choice = parseRange(text);
        return (
          choice && (
            <button
              key={text}
              type="button"
              title={rangeTitle(choice, zone)}
              aria-pressed={names.every((name) => values.get(name) === text)}
              onClick={() => use(text)}
            >
              {choice.kind === 'last' ? text : rangeTitle(choice, zone).toLowerCase()}
            </button>
          )
        );
      })}
      {!start.required && !end.required && (
        <button type="button" onClick={clear}>
          all
        </button>
      )}
    </fieldset>
  );
}
