import type { Parameter } from '../../api/endpoints.ts';
import { ParameterField } from './parameter-field.tsx';
import type { ParameterMistake } from './parameter-values.ts';
import {
  type ParameterValues,
  type RangeParameters,
  rangeParameters,
  rangeValues,
  withValue,
} from './parameter-values.ts';

interface ParameterFormProps {
  readonly parameters: readonly Parameter[];
  readonly values: ParameterValues;
  readonly mistakes: readonly ParameterMistake[];
  readonly onChange: (values: ParameterValues) => void;
}

/** A field for each parameter. */
export function ParameterForm({ parameters, values, mistakes, onChange }: ParameterFormProps) {
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
      {range && <Spans range={range} values={values} onChange={onChange} />}
    </div>
  );
}

const minute = 60_000;
const spans = [
  { text: '15 m', milliseconds: 15 * minute },
  { text: '1 h', milliseconds: 60 * minute },
  { text: '24 h', milliseconds: 24 * 60 * minute },
  { text: '7 d', milliseconds: 7 * 24 * 60 * minute },
] as const;

interface SpansProps extends Pick<ParameterFormProps, 'values' | 'onChange'> {
  readonly range: RangeParameters;
}

function Spans({ range, values, onChange }: SpansProps) {
  const { start, end } = range;
  const use = (milliseconds: number) => {
    const to = Date.now();
    onChange(new Map([...values, ...rangeValues(range, { from: to - milliseconds, to })]));
  };
  const clear = () => onChange(withValue(withValue(values, start.name, ''), end.name, ''));
  return (
    <fieldset class="chips">
      <legend class="quiet">Last</legend>
      {spans.map(({ text, milliseconds }) => (
        <button key={text} type="button" onClick={() => use(milliseconds)}>
          {text}
        </button>
      ))}
      {!start.required && !end.required && (
        <button type="button" onClick={clear}>
          All
        </button>
      )}
    </fieldset>
  );
}
