import { useId } from 'preact/hooks';
import type { Parameter } from '../../api/endpoints.ts';
import { manyLines, oneLine } from '../text/cell-text.ts';
import { isArray, isTime } from './parameter-values.ts';

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: string | readonly string[] | undefined;
  readonly mistake: string | undefined;
  /** Called with an empty value for none. */
  readonly onChange: (value: string | readonly string[]) => void;
}

/** The label and the input of a parameter, its description and what is wrong with its value. */
export function ParameterField({ parameter, value, mistake, onChange }: ParameterFieldProps) {
  const id = useId();
  const { name, type, required, description } = parameter;
  const help = [description, rulesOf(parameter)].filter(Boolean).join(' ');
  const described = [mistake !== undefined && `${id}-mistake`, help !== '' && `${id}-help`].filter(Boolean);
  const attributes = {
    id,
    required,
    'aria-invalid': mistake !== undefined,
    'aria-describedby': described.join(' ') || undefined,
  };
  return (
    <div class="parameter">
      <label for={id}>
        <bdi>{oneLine(name)}</bdi>
        {required && (
          <span class="required" title="Required">
            *<span class="only-heard"> required</span>
          </span>
        )}
        <span class="quiet parameter-type">{type}</span>
      </label>
      <Input {...{ parameter, attributes, onChange }} value={value ?? ''} />
      {mistake !== undefined && (
        <p id={`${id}-mistake`} class="mistake" role="alert">
          {manyLines(mistake)}
        </p>
      )}
      {help !== '' && (
        <p id={`${id}-help`} class="quiet">
          {manyLines(help)}
        </p>
      )}
    </div>
  );
}

interface InputProps {
  readonly parameter: Parameter;
  readonly value: string | readonly string[];
  readonly attributes: {
    readonly id: string;
    readonly required: boolean;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby': string | undefined;
  };
  readonly onChange: (value: string | readonly string[]) => void;
}

function Input({ parameter, value, attributes, onChange }: InputProps) {
  const { type, values, name } = parameter;
  const text = typeof value === 'string' ? value : value.join('\n');
  if (isArray(type)) {
    return (
      <textarea
        {...attributes}
        rows={Math.min(6, text.split('\n').length + 1)}
        placeholder={placeholderOf(parameter, 'One element in each line')}
        value={text}
        onInput={({ currentTarget }) => onChange(linesOf(currentTarget.value))}
      />
    );
  }
  const choices = values ?? (type === 'BOOL' ? ['true', 'false'] : undefined);
  if (choices !== undefined) {
    return <Choice {...{ parameter, attributes, choices, onChange }} value={text} />;
  }
  const field = (
    <input
      {...attributes}
      type="text"
      inputMode={type === 'INT64' || type.endsWith('NUMERIC') || type === 'FLOAT64' ? 'decimal' : 'text'}
      autocomplete="off"
      spellcheck={false}
      placeholder={placeholderOf(parameter, '')}
      value={text}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
  if (!isTime(parameter)) return field;
  return (
    <div class="picked">
      {field}
      <input
        class="picker"
        type={type === 'DATE' ? 'date' : 'datetime-local'}
        step="1"
        aria-label={`Pick ${name}, in UTC`}
        title="Pick a time, in UTC"
        value={pickerValue(text, type)}
        onChange={({ currentTarget }) =>
          currentTarget.value && onChange(pickedText(currentTarget.value, type))
        }
      />
    </div>
  );
}

interface ChoiceProps extends InputProps {
  readonly choices: readonly string[];
  readonly value: string;
}

function Choice({ parameter, attributes, choices, value, onChange }: ChoiceProps) {
  const hasNone = !parameter.required || value === '';
  // A link may carry a value that isn't one of them: the gateway says so.
  const all = value === '' || choices.includes(value) ? choices : [...choices, value];
  return (
    <select {...attributes} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {hasNone && <option value="">{placeholderOf(parameter, 'None')}</option>}
      {all.map((choice) => (
        <option key={choice} value={choice}>
          {oneLine(choice)}
        </option>
      ))}
    </select>
  );
}

function placeholderOf({ default: byDefault, example }: Parameter, otherwise: string): string {
  if (byDefault !== null) return `Default: ${String(byDefault)}`;
  return example === null ? otherwise : `For example ${String(example)}`;
}

function rulesOf({ min, max, maxLength, pattern, maxItems }: Parameter): string {
  const rules = [
    min !== undefined && `At least ${min}.`,
    max !== undefined && `At most ${max}.`,
    maxLength !== undefined && `At most ${maxLength} characters.`,
    pattern !== undefined && `Pattern: ${pattern}`,
    maxItems !== undefined && `At most ${maxItems.toLocaleString('en')} elements.`,
  ];
  return rules.filter(Boolean).join(' ');
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n');
}

/** What the picker of the browser shows for a text: nothing for texts that it can't. */
function pickerValue(text: string, type: string): string {
  if (type === 'DATE') return /^\d{4}-\d\d-\d\d$/.test(text) ? text : '';
  const [, picked] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z?$/.exec(text) ?? [];
  return picked ?? '';
}

function pickedText(picked: string, type: string): string {
  if (type === 'DATE') return picked;
  const withSeconds = picked.length === 16 ? `${picked}:00` : picked;
  return type === 'DATETIME' ? withSeconds : `${withSeconds}Z`;
}
