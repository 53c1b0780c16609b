import { useId } from 'preact/hooks';
import { Icon } from '../../parts/icons/icon.tsx';
import { oneLine } from '../../parts/text/cell-text.ts';
import type { RowField } from './rows/fields.ts';

/** What a tail shows of its rows besides their time, level and message. */
export interface FieldChoice {
  /** The paths of fields with columns of their own. */
  readonly columns: readonly string[];
  /** The path of the field to count rows by. */
  readonly group: string | undefined;
}

interface FieldChoiceFormProps {
  readonly fields: readonly RowField[];
  readonly choice: FieldChoice;
  readonly onChoice: (choice: FieldChoice) => void;
}

export const maxColumns = 6;

/** Chooses columns, and what to group by, from the fields of a table. */
export function FieldChoiceForm({ fields, choice, onChoice }: FieldChoiceFormProps) {
  const id = useId();
  const { columns, group } = choice;
  // Explore and SQL have another name for what LQL calls `m`.
  const pathOf = (text: string) =>
    fields.find(({ path }) => path === text || path === text.replace(/^metadata\./, 'm.'))?.path;
  const add = (text: string) => {
    const path = pathOf(text);
    if (path === undefined || columns.includes(path) || columns.length >= maxColumns) return false;
    onChoice({ ...choice, columns: [...columns, path] });
    return true;
  };
  return (
    <div class="live-fields">
      <label for={`${id}-column`}>Columns</label>
      {columns.map((path) => (
        <button
          key={path}
          type="button"
          class="chip"
          aria-label={`Remove the column ${path}`}
          onClick={() => onChoice({ ...choice, columns: columns.filter((one) => one !== path) })}
        >
          {oneLine(path)} <Icon name="close" />
        </button>
      ))}
      <input
        id={`${id}-column`}
        list={`${id}-fields`}
        autocomplete="off"
        spellcheck={false}
        placeholder="Add a field"
        disabled={columns.length >= maxColumns}
        onInput={({ currentTarget }) => {
          if (add(currentTarget.value)) currentTarget.value = '';
        }}
      />
      <label for={`${id}-group`}>Group by</label>
      <input
        id={`${id}-group`}
        list={`${id}-fields`}
        autocomplete="off"
        spellcheck={false}
        placeholder="Nothing"
        defaultValue={group}
        onInput={({ currentTarget: { value } }) => {
          const next = pathOf(value);
          if (next !== group) onChoice({ ...choice, group: next });
        }}
      />
      <datalist id={`${id}-fields`}>
        {fields.map(({ path }) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </div>
  );
}
