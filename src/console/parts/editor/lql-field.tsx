import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { completeLql } from '../../../sql/editing/complete-lql.ts';
import type { Completions, Option } from '../../../sql/editing/completion.ts';
import type { Table } from '../../../sql/editing/field.ts';
import { oneLine } from '../text/cell-text.ts';

interface LqlFieldProps {
  readonly id: string;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly value: string;
  readonly onValue: (text: string) => void;
  /** The table that is filtered. */
  readonly table: Table;
  readonly placeholder: string;
  /** The element that says what is wrong; undefined if nothing is. */
  readonly mistakeId: string | undefined;
}

const maxOptions = 50;

/** A field for a filter in LQL, which offers the fields, operators and values that can stand at the cursor. */
export function LqlField({ id, field, value, onValue, table, placeholder, mistakeId }: LqlFieldProps) {
  const [completions, setCompletions] = useState<Completions>();
  const [active, setActive] = useState(-1);
  const list = useRef<HTMLDivElement>(null);
  const options = completions === undefined ? [] : optionsFor(completions, value, field.current);

  const close = () => {
    setCompletions(undefined);
    setActive(-1);
  };
  const ask = (text: string, position: number, isAsked: boolean) => {
    setActive(-1);
    setCompletions(completeLql(text, position, { tables: [table] }, isAsked));
  };
  const take = (option: Option | undefined) => {
    const input = field.current;
    if (option === undefined || completions === undefined || input === null) return;
    const { insert = option.label, goesOn = false } = option;
    const end = input.selectionStart ?? value.length;
    const before = value.slice(0, completions.from) + insert;
    const next = before + value.slice(end);
    onValue(next);
    // The text of the field is written when it is drawn, with the cursor at its end.
    requestAnimationFrame(() => {
      input.focus();
      input.setSelectionRange(before.length, before.length);
      if (goesOn) ask(next, before.length, true);
      else close();
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const input = field.current;
    if (event.isComposing || input === null) return;
    if ((event.key === 'ArrowDown' || (event.key === ' ' && event.ctrlKey)) && options.length === 0) {
      ask(value, input.selectionStart ?? value.length, true);
    } else if (options.length === 0) return;
    else if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Escape') close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && active >= 0) take(options[active]);
    else return;
    event.preventDefault();
  };
  const move = (step: number) => {
    const next = (active + step + options.length + (active < 0 && step < 0 ? 1 : 0)) % options.length;
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <div class="lql-field">
      <input
        id={id}
        ref={field}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        aria-autocomplete="list"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-options`}
        aria-activedescendant={active >= 0 ? `${id}-option-${active}` : undefined}
        aria-invalid={mistakeId !== undefined}
        aria-describedby={mistakeId}
        onInput={({ currentTarget }) => {
          onValue(currentTarget.value);
          ask(currentTarget.value, currentTarget.selectionStart ?? currentTarget.value.length, false);
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div
        id={`${id}-options`}
        ref={list}
        role="listbox"
        aria-label="Completions"
        hidden={options.length === 0}
      >
        {options.map((option, index) => (
          <div
            key={`${option.kind} ${option.label}`}
            id={`${id}-option-${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            // The field keeps the focus.
            onMouseDown={(event) => {
              event.preventDefault();
              take(option);
            }}
          >
            <bdi>{oneLine(option.label)}</bdi> <span class="quiet">{oneLine(option.detail ?? '')}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The options that begin with what is written, those that contain it behind them. None if it is one of them, whole. */
function optionsFor(
  { from, options }: Completions,
  text: string,
  input: HTMLInputElement | null,
): readonly Option[] {
  const written = text.slice(from, Math.max(from, input?.selectionStart ?? text.length)).toLowerCase();
  const labels = options.map((option) => ({ option, label: option.label.toLowerCase() }));
  if (labels.some(({ label }) => label === written && written !== '')) return [];
  const first = labels.filter(({ label }) => label.startsWith(written));
  const others = labels.filter(({ label }) => !label.startsWith(written) && label.includes(written));
  return [...first, ...others].slice(0, maxOptions).map(({ option }) => option);
}
