import { useState } from 'preact/hooks';
import { type Field, shortType, type Table } from '../../../sql/editing/field.ts';
import { fieldExpression } from '../../../sql/editing/field-expression.ts';
import { writtenName } from '../../../sql/editing/written-name.ts';
import { oneLine } from '../text/cell-text.ts';

interface TableTreeProps {
  readonly tables: readonly Table[];
  readonly language: 'sql' | 'lql';
  /** Called with the table or the field that the user has chosen, as a query writes it. */
  readonly onName: (text: string) => void;
}

/** Tables with their columns and nested fields, to open and to choose from. */
export function TableTree({ tables, language, onName }: TableTreeProps) {
  return (
    <ul class="fields">
      {tables.map(({ name, fields }) => (
        <Branch key={name} name={name} path={[]} detail="" {...{ fields, language, onName }} />
      ))}
    </ul>
  );
}

interface BranchProps {
  readonly name: string;
  /** The fields from the column to this one; empty for a table. */
  readonly path: readonly Field[];
  readonly detail: string;
  readonly fields: readonly Field[];
  readonly language: 'sql' | 'lql';
  readonly onName: (text: string) => void;
}

function Branch({ name, path, detail, fields, language, onName }: BranchProps) {
  // What is closed is not in the page: tables may have thousands of fields.
  const [isOpen, setOpen] = useState(false);
  const text = () => (path.length === 0 ? writtenName(name) : fieldExpression(path, language));
  const own = (
    <>
      <button type="button" title="Insert into the query" onClick={() => onName(text())}>
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
              path={[...path, field]}
              language={language}
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
