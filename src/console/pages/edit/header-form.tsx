import { useId } from 'preact/hooks';
import { settingValue } from './draft-file.ts';
import { type DeclaredParameter, type Header, type SettingValue, withSetting } from './header.ts';

interface HeaderFormProps {
  readonly header: Header | undefined;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** The settings of an endpoint as fields. They write the comment at the start of its file. */
export function HeaderForm({ header, text, onText }: HeaderFormProps) {
  if (header === undefined) {
    return <p class="card quiet">The settings in the comment at the start of the file have an error.</p>;
  }
  const set = (path: readonly string[], value: SettingValue) => onText(withSetting(text, path, value));
  const number = (given: string) => (/^\d{1,12}$/.test(given) ? Number(given) : given);
  return (
    <form class="card edit-settings" onSubmit={(event) => event.preventDefault()}>
      <h2>Settings</h2>
      <Field label="Name" value={header.name} onValue={(value) => set(['name'], value)} />
      <Field label="Id" value={header.id} onValue={(value) => set(['id'], value)} />
      <Field
        label="Description"
        value={header.description}
        onValue={(value) => set(['description'], value)}
      />
      <div class="edit-pair">
        <Field
          label="Most rows"
          value={header.maxRows}
          hint="By default, 1000"
          onValue={(value) => set(['maxRows'], number(value))}
        />
        <Field
          label="Cache seconds"
          value={header.cacheSeconds}
          hint="By default, not cached"
          onValue={(value) => set(['cacheSeconds'], number(value))}
        />
      </div>
      {header.parameters.map((parameter) => (
        <ParameterSettings
          key={parameter.name}
          parameter={parameter}
          onSetting={(key, value) => set(['parameters', parameter.name, key], value)}
        />
      ))}
    </form>
  );
}

interface ParameterSettingsProps {
  readonly parameter: DeclaredParameter;
  readonly onSetting: (key: string, value: SettingValue) => void;
}

function ParameterSettings({ parameter, onSetting }: ParameterSettingsProps) {
  const { name, type, required, example, values, description } = parameter;
  const set = (key: string) => (value: string) =>
    onSetting(key, value === '' ? undefined : settingValue(type, value));
  const isArray = type.startsWith('ARRAY');
  return (
    <details class="edit-parameter">
      <summary>
        <code>@{name}</code> <span class="quiet">{type}</span>
      </summary>
      <label>
        <input
          type="checkbox"
          checked={required}
          onChange={({ currentTarget }) => onSetting('required', currentTarget.checked || undefined)}
        />{' '}
        Required
      </label>
      <Field label="Description" value={description} onValue={(value) => onSetting('description', value)} />
      {!isArray && (
        <>
          <div class="edit-pair">
            <Field label="Example" value={example} onValue={set('example')} />
            <Field label="Default" value={parameter.default} onValue={set('default')} />
          </div>
          <div class="edit-pair">
            <Field label="At least" value={parameter.min} onValue={set('min')} />
            <Field label="At most" value={parameter.max} onValue={set('max')} />
          </div>
        </>
      )}
      <Field
        label="Allowed values"
        hint="Separated by commas"
        isWhole
        value={values.join(', ')}
        onValue={(value) =>
          onSetting(
            'values',
            value
              .split(',')
              .map((each) => each.trim())
              .filter((each) => each !== ''),
          )
        }
      />
    </details>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
  /** Whether only a whole value is meant, not each letter of it. */
  readonly isWhole?: boolean;
  readonly onValue: (value: string) => void;
}

function Field({ label, value, hint, isWhole = false, onValue }: FieldProps) {
  const id = useId();
  const tell = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
    onValue(currentTarget.value);
  return (
    <div class="parameter">
      <label for={id}>{label}</label>
      <input
        id={id}
        autocomplete="off"
        placeholder={hint}
        value={value}
        {...(isWhole ? { onChange: tell } : { onInput: tell })}
      />
    </div>
  );
}
