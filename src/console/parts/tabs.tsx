import { useId } from 'preact/hooks';

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly name: Name; readonly text: string }[];
  readonly selected: Name;
  readonly onSelect: (name: Name) => void;
  /** Called for the Delete key and the middle button on a tab. */
  readonly onClose?: ((name: Name) => void) | undefined;
  /** Buttons beside the tabs. */
  readonly actions?: preact.ComponentChildren;
  readonly children: preact.ComponentChildren;
}

/** Tabs with the panel of the selected one. The arrow keys go from tab to tab. */
export function Tabs<Name extends string>(props: TabsProps<Name>) {
  const { label, tabs, selected, onSelect, onClose, actions, children } = props;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Delete') onClose?.(selected);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const at = tabs.findIndex(({ name }) => name === selected);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onSelect(next.name);
    document.getElementById(`${id}-${next.name}`)?.focus();
    event.preventDefault();
  };
  return (
    <>
      <div class="tabs-bar">
        <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
          {tabs.map(({ name, text }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              aria-selected={name === selected}
              aria-controls={`${id}-panel`}
              tabIndex={name === selected ? 0 : -1}
              onClick={() => onSelect(name)}
              onAuxClick={(event) => event.button === 1 && onClose?.(name)}
            >
              {text}
            </button>
          ))}
        </div>
        {actions}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${selected}`}>
        {children}
      </div>
    </>
  );
}
