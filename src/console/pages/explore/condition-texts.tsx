import { useEffect, useId, useState } from 'preact/hooks';
import { lqlFilterSql } from '../../../sql/editing/lql-filter.ts';
import type { Endpoint } from '../../api/endpoints.ts';
import { messageOf } from '../../api/failure.ts';
import { CodeBlock } from '../../parts/copy/code-block.tsx';
import type { TimeRange } from '../../parts/time/time-range.ts';
import { formatRoute } from '../../router/route.ts';
import { lqlText, readLqlText, readSqlText, sqlText } from './question/edited-text.ts';
import type { Exploration } from './question/exploration.ts';
import type { ExploredTable } from './question/explored-table.ts';
import { rowsSql } from './question/queries.ts';
import { writtenLql } from './question/written-lql.ts';

interface ConditionTextsProps {
  readonly endpoint: Endpoint;
  readonly table: ExploredTable;
  readonly exploration: Exploration;
  readonly change: (changed: Partial<Exploration>) => void;
  readonly conditions: readonly string[];
  readonly span: TimeRange | undefined;
}

/** What was clicked, in SQL and in LQL, to see and to edit. */
export function ConditionTexts({
  endpoint,
  table,
  exploration,
  change,
  conditions,
  span,
}: ConditionTextsProps) {
  const { unsaid, clauses } = writtenLql(exploration, table);
  const times =
    span === undefined
      ? []
      : [`t:>=${new Date(span.from).toISOString()}`, `t:<${new Date(span.to).toISOString()}`];
  const lql = [`f:${table.name}`, ...times, ...clauses].join(' ');
  return (
    <details class="explore-texts">
      <summary>SQL and LQL</summary>
      <div class="explore-text-pair">
        <ConditionText
          label="Conditions in SQL"
          help="An expression that is true for the rows to show. The range of time is apart from it."
          text={sqlText(exploration, table)}
          onText={(text) => change(readSqlText(text, exploration, table))}
        />
        <div>
          <ConditionText
            label="Filters in LQL"
            help="All of them must match."
            text={lqlText(exploration, table)}
            onText={(text) => {
              if (text.trim() !== '') lqlFilterSql(text, table);
              change(readLqlText(text, exploration, table));
            }}
          />
          {unsaid.map((reason) => (
            <p key={reason} class="quiet">
              Not in LQL: <bdi>{reason}</bdi>
            </p>
          ))}
          {unsaid.length === 0 && (
            <a
              href={formatRoute({
                page: 'query',
                endpoint: endpoint.name,
                values: new URLSearchParams({ lql }),
              })}
            >
              Open in Query as LQL
            </a>
          )}
        </div>
      </div>
      <CodeBlock label="The query for the rows" text={rowsSql(table, exploration, conditions)} />
    </details>
  );
}

interface ConditionTextProps {
  readonly label: string;
  readonly help: string;
  readonly text: string;
  /** @throws Error that says what is wrong with the text */
  readonly onText: (text: string) => void;
}

function ConditionText({ label, help, text, onText }: ConditionTextProps) {
  const id = useId();
  const [edited, setEdited] = useState(text);
  const [mistake, setMistake] = useState<string>();
  useEffect(() => {
    setEdited(text);
    setMistake(undefined);
  }, [text]);
  const apply = (event: Event) => {
    event.preventDefault();
    try {
      onText(edited);
      setMistake(undefined);
    } catch (thrown) {
      setMistake(messageOf(thrown));
    }
  };
  return (
    <form class="explore-text" onSubmit={apply}>
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        spellcheck={false}
        aria-invalid={mistake !== undefined}
        aria-describedby={`${id}-help`}
        value={edited}
        onInput={({ currentTarget }) => setEdited(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) apply(event);
        }}
      />
      {mistake !== undefined && (
        <pre class="mistake" role="alert">
          {mistake}
        </pre>
      )}
      <p id={`${id}-help`} class="quiet">
        {help}
      </p>
      <button type="submit" disabled={edited === text}>
        Apply
      </button>
    </form>
  );
}
