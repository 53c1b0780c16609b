import { useId } from 'preact/hooks';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly help: string;
}

/** A field for one text. */
export function Field({ name, label, help }: FieldProps) {
  const id = useId();
  return (
    <div class="parameter">
      <label for={id}>{label}</label>
      <input id={id} name={name} autocomplete="off" spellcheck={false} aria-describedby={`${id}-help`} />
      <p id={`${id}-help`} class="quiet">
        {help}
      </p>
    </div>
  );
}

interface ChipFieldProps extends FieldProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** What can be chosen by a click. */
  readonly chips: readonly { readonly text: string; readonly value: string }[];
  /** Whether several can be chosen, with commas between them. */
  readonly isList?: boolean;
}

/** A field with values to choose from. Others can be typed. */
export function ChipField({ name, label, help, value, onValue, chips, isList = false }: ChipFieldProps) {
  const id = useId();
  const chosen = isList ? partsOf(value) : [value];
  const toggled = (chip: string) => {
    if (!isList) return chip;
    return (chosen.includes(chip) ? chosen.filter((one) => one !== chip) : [...chosen, chip]).join(', ');
  };
  return (
    <div class="parameter">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        value={value}
        onInput={({ currentTarget }) => onValue(currentTarget.value)}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`${id}-help`}
      />
      {chips.length > 0 && (
        <fieldset class="chips">
          <legend class="only-heard">{label}</legend>
          {chips.map((chip) => (
            <button
              key={chip.value}
              type="button"
              aria-pressed={chosen.includes(chip.value)}
              onClick={() => onValue(toggled(chip.value))}
            >
              <bdi>{chip.text}</bdi>
            </button>
          ))}
        </fieldset>
      )}
      <p id={`${id}-help`} class="quiet">
        {help}
      </p>
    </div>
  );
}

/** The values of a list that is written with commas. */
export function partsOf(list: string): readonly string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

interface ChoicesProps {
  readonly name: string;
  readonly legend: string;
  readonly values: readonly string[];
  readonly chosen: readonly string[];
}

/** Some of several values. */
export function Choices({ name, legend, values, chosen }: ChoicesProps) {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {values.map((value) => (
        <label key={value} class="check">
          <input type="checkbox" name={name} value={value} defaultChecked={chosen.includes(value)} /> {value}
        </label>
      ))}
    </fieldset>
  );
}
