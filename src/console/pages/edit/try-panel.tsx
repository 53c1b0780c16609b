import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckedText } from '../../api/editing.ts';
import type { Parameter } from '../../api/endpoints.ts';
import { messageOf } from '../../api/failure.ts';
import { type Answer, tryText } from '../../parts/answer/answer.ts';
import { AnswerView } from '../../parts/answer/answer-view.tsx';
import { Empty, FailureFace, Loading } from '../../parts/faces/faces.tsx';
import { useLoad } from '../../parts/loading/use-load.ts';
import { ParameterForm } from '../../parts/parameters/parameter-form.tsx';
import {
  initialValues,
  missingParameters,
  mistakesOf,
  type ParameterValues,
} from '../../parts/parameters/parameter-values.ts';
import { valuesNow } from '../../parts/parameters/relative-times.ts';
import { columnsOf } from '../../parts/table/table-column.ts';
import { useSession } from '../../session/session.ts';
import { RowPicker } from './row-picker.tsx';
import { sourceRows } from './source-rows.ts';
import { styleOf, withCase } from './test-case.ts';

interface TryPanelProps {
  readonly name: string;
  readonly text: string;
  readonly test: string | undefined;
  /** Values of the page's address. */
  readonly values: URLSearchParams;
  readonly checked: CheckedText | undefined;
  readonly onTest: (test: string) => void;
}

/** An answer with the text and the values that it belongs to. */
interface Tried {
  readonly answer: Answer;
  readonly of: string;
  readonly values: ParameterValues;
}

const none: readonly Parameter[] = [];

/** Runs the text with values for its parameters, without serving it. Rows can be picked for its tests. */
export function TryPanel({ name, text, test, values: address, checked, onTest }: TryPanelProps) {
  const session = useSession();
  const { client } = session;
  const endpoint = useLast(checked?.endpoint);
  const parameters = endpoint?.parameters ?? none;
  const [values, setValues] = useState<ParameterValues>(new Map());
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const tried = useLoad<Tried>();
  const [missing, setMissing] = useState<readonly string[]>([]);
  const [mistake, setMistake] = useState<string>();
  // What the user has set; for other parameters, their examples.
  const given = useMemo(() => {
    const proposed = initialValues(parameters, address);
    const own = parameters.flatMap(({ name: one }) => {
      const value = touched.has(one) ? values.get(one) : proposed.get(one);
      return value === undefined ? [] : [[one, value] as const];
    });
    return new Map(own);
  }, [parameters, values, touched, address]);

  const change = (next: ParameterValues) => {
    const changed = parameters.map((one) => one.name).filter((one) => next.get(one) !== given.get(one));
    setTouched(new Set([...touched, ...changed]));
    setValues(next);
  };

  const run = (wanted: ParameterValues = given) => {
    const without = missingParameters(parameters, wanted);
    setMissing(without);
    if (without.length > 0) return;
    const ran = valuesNow(parameters, wanted);
    const of = { of: text, values: ran };
    tried.load(async (signal) => ({ ...of, answer: await tryText(client, { name, text }, ran, signal) }));
  };

  const addTest = async (places: readonly number[]) => {
    if (tried.value === undefined) return;
    const { values: ran, of, answer } = tried.value;
    try {
      const { signal } = new AbortController();
      const style = styleOf(test);
      const isSame = style.timestamps === 'iso' && style.json === 'inline';
      const rows = isSame
        ? answer.rows
        : (await tryText(client, { name, text: of }, ran, signal, style)).rows;
      const expected = places.map((at) => rows[at]).filter((row) => row !== undefined);
      const ofSources = await sourceRows(session, checked?.reads ?? [], expected, signal);
      const now = new Date().toISOString();
      onTest(
        withCase(test, { name: 'answers the picked rows', values: ran, now, rows: ofSources, expected }),
      );
      setMistake(undefined);
    } catch (thrown) {
      setMistake(messageOf(thrown));
    }
  };

  if (endpoint === undefined) {
    return (
      <Empty title="Nothing to try yet">
        <p class="quiet">The text has errors, or is being checked.</p>
      </Empty>
    );
  }
  const { value, failure, isLoading, cancel } = tried;
  const isOutdated = value !== undefined && value.of !== text;
  return (
    <div class="edit-try">
      <form
        class="card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <ParameterForm
          parameters={parameters}
          values={given}
          mistakes={mistakesOf(
            failure,
            missing,
            parameters.map((parameter) => parameter.name),
          )}
          onChange={change}
          onRun={(next) => {
            change(next);
            run(next);
          }}
        />
        {isLoading ? (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        ) : (
          <button type="submit" class="primary">
            Run it
          </button>
        )}
      </form>
      <div class="edit-answer">
        {failure !== undefined && <FailureFace failure={failure} />}
        {isLoading && value === undefined && <Loading what="Running the query" />}
        {value !== undefined && failure === undefined && (
          <div class={isOutdated || isLoading ? 'outdated' : ''} aria-busy={isLoading}>
            {isOutdated && <p class="quiet">These rows are of the text before the last changes.</p>}
            <AnswerView label={name} answer={value.answer} columns={columnsOf(value.answer.rows)} />
            {value.answer.rows.length > 0 && (
              <RowPicker key={value.answer.facts.milliseconds} rows={value.answer.rows} onPick={addTest} />
            )}
            {mistake !== undefined && (
              <p class="mistake" role="alert">
                {mistake}
              </p>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

/** The last value that there was: a text with an error doesn't take the form away. */
function useLast<T>(value: T | undefined): T | undefined {
  const last = useRef(value);
  useEffect(() => {
    if (value !== undefined) last.current = value;
  }, [value]);
  return value ?? last.current;
}
