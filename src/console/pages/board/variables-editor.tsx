import { useId, useState } from 'preact/hooks';
import type { Board, BoardFile } from '../../api/boards.ts';

interface VariablesEditorProps {
  readonly board: Board;
  readonly onBoard: (changed: Partial<BoardFile>) => void;
}

const allowedName = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
const builtIn = ['from', 'to', 'step', 'days', 'range', 'refresh'];

/** Makes a variable of the parameters with its name, and removes variables. */
export function VariablesEditor({ board, onBoard }: VariablesEditorProps) {
  const id = useId();
  const [name, setName] = useState('');
  const { variables, panels } = board;
  const isAllowed = allowedName.test(name) && !builtIn.includes(name) && !Object.hasOwn(variables, name);
  const add = () => {
    const values = panels.flatMap(({ parameters = {} }) => parameters[name] ?? []);
    const filled = panels.map(({ callable: _, ...panel }) => {
      const { parameters } = panel;
      return typeof parameters?.[name] === 'string'
        ? { ...panel, parameters: { ...parameters, [name]: `\${${name}}` } }
        : panel;
    });
    onBoard({ panels: filled, variables: { ...variables, [name]: { default: values[0] ?? '' } } });
    setName('');
  };
  const remove = (removed: string) => {
    const { [removed]: variable, ...others } = variables;
    const written = `\${${removed}}`;
    const filled = panels.map(({ callable: _, ...panel }) => {
      const { parameters } = panel;
      if (parameters === undefined) return panel;
      const values = Object.entries(parameters).map(([parameter, value]) => [
        parameter,
        value === written ? (variable?.default ?? '') : value,
      ]);
      return { ...panel, parameters: Object.fromEntries(values) };
    });
    onBoard({ panels: filled, variables: others });
  };
  return (
    <>
      <label for={`${id}-name`}>
        <span class="quiet">Variable</span>
        <input
          id={`${id}-name`}
          value={name}
          placeholder="project"
          list={`${id}-names`}
          aria-invalid={name !== '' && !isAllowed}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <datalist id={`${id}-names`}>
          {[...new Set(panels.flatMap(({ parameters = {} }) => Object.keys(parameters)))].map((parameter) => (
            <option key={parameter} value={parameter} />
          ))}
        </datalist>
      </label>
      <button type="button" onClick={add} disabled={!isAllowed}>
        Add a variable
      </button>
      {Object.keys(variables).map((each) => (
        <button key={each} type="button" onClick={() => remove(each)}>
          Remove variable <bdi>{each}</bdi>
        </button>
      ))}
    </>
  );
}
