import { useState } from 'preact/hooks';
import { type Field, shortType, type Table } from '../../../sql/editing/field.ts';
import { writtenName } from '../../../sql/editing/written-name.ts';
import { oneLine } from '../text/cell-text.ts';

interface TableTreeProps {
  readonly tables: readonly Table[];
  /** Called with the name that the user has chosen, as a query writes it. */
  readonly onName: (name: string) => void;
}

/** Tables with their columns and nested fields, to open and to choose from. */
export function TableTree({ tables, onName }: TableTreeProps) {
  return (
    <ul class="fields">
      {tables.map(({ name, fields }) => (
        <Branch key={name} name={name} detail="" fields={fields} onName={onName} />
      ))}
    </ul>
  );
}

interface BranchProps {
  readonly name: string;
  readonly detail: string;
  readonly fields: readonly Field[];
  readonly onName: (name: string) => void;
}

function Branch({ name, detail, fields, onName }: BranchProps) {
  // What is closed is not in the page: tables may have thousands of fields.
  const [isOpen, setOpen] = useState(false);
  const own = (
    <>
      <button type="button" title="Insert into the query" onClick={() => onName(writtenName(name))}>
        <bdi>{oneLine(name)}</bdi>
      </button>
      <span class="quiet">{detail}</span>
    </>
  );
  if (fields.length === 0) return <li class="field">{own}</li>;
  return (
    <li>
      <div class="field">
        <button
          type="button"
          class="field-toggle"
          aria-expanded={isOpen}
          aria-label={`Fields of ${oneLine(name)}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? '▾' : '▸'}
        </button>
        {own}
      </div>
      {isOpen && (
        <ul class="fields">
          {fields.map((field) => (
            <Branch
              key={field.name}
              name={field.name}
              detail={field.type === undefined ? '' : shortType(field.type)}
              fields={field.fields}
              onName={onName}
            />
          ))}
        </ul>
      )}
    </li>
  );
}
