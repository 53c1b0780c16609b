import { useEffect, useId, useMemo } from 'preact/hooks';
import type { BoardVariable } from '../../api/boards.ts';
import { messageOf } from '../../api/failure.ts';
import { runCall } from '../../parts/answer/answer.ts';
import { type BoardWindow, callOf } from '../../parts/boards/board-values.ts';
import { useLoad } from '../../parts/loading/use-load.ts';
import { cellText, oneLine } from '../../parts/text/cell-text.ts';
import { useSession } from '../../session/session.ts';

interface VariablesBarProps {
  readonly variables: Readonly<Record<string, BoardVariable>>;
  readonly values: ReadonlyMap<string, string>;
  readonly window: BoardWindow;
  /** Whether queries for values may run. */
  readonly mayRun: boolean;
  readonly onValue: (name: string, value: string) => void;
}

/** What is chosen for all panels of a board. */
export function VariablesBar({ variables, values, window, mayRun, onValue }: VariablesBarProps) {
  return (
    <>
      {Object.entries(variables).map(([name, variable]) => (
        <VariableField
          key={name}
          {...{ name, variable, window, mayRun }}
          value={values.get(name) ?? ''}
          onValue={(value) => onValue(name, value)}
        />
      ))}
    </>
  );
}

interface VariableFieldProps extends Pick<VariablesBarProps, 'window' | 'mayRun'> {
  readonly name: string;
  readonly variable: BoardVariable;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function VariableField({ name, variable, value, window, mayRun, onValue }: VariableFieldProps) {
  const id = useId();
  const { client, endpoints } = useSession();
  const { label = name, query, values: listed, default: proposed } = variable;
  const { value: found, failure, load } = useLoad<readonly string[]>();
  const call = useMemo(
    () => (query && mayRun ? callOf(query, { window, variables: new Map() }, endpoints) : undefined),
    [query, window.from, window.to, mayRun],
  );
  const column = query?.column ?? '';
  useEffect(() => {
    if (call === undefined) return;
    load(async (signal) => {
      const { rows } = await runCall(client, call, signal);
      return [...new Set(rows.map((row) => cellText(row[column] ?? null)))];
    });
  }, [client, call, column, load]);
  const offered = listed ?? found;
  // Nothing is a choice where nothing is chosen at the start.
  const all = [...(proposed === '' && listed === undefined ? [''] : []), ...(offered ?? [])];
  const choices = all.includes(value) ? all : [value, ...all];
  return (
    <div class="board-variable">
      <label for={id}>
        <bdi class="quiet">{oneLine(label)}</bdi>
      </label>
      {offered === undefined ? (
        <input
          id={id}
          value={value}
          aria-describedby={failure === undefined ? undefined : `${id}-failure`}
          onChange={({ currentTarget }) => onValue(currentTarget.value)}
        />
      ) : (
        <select id={id} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
          {choices.map((one) => (
            <option key={one} value={one}>
              {one === '' ? 'All' : oneLine(one)}
            </option>
          ))}
        </select>
      )}
      {failure !== undefined && (
        <span id={`${id}-failure`} class="mistake">
          Its values can’t be listed: {messageOf(failure)}
        </span>
      )}
    </div>
  );
}
