import { type LiteralChoice, parameterName } from './draft-file.ts';

interface LiteralListProps {
  readonly choices: readonly LiteralChoice[];
  /** Whether the query was changed by hand, so that the places of its values aren't known any more. */
  readonly isLocked: boolean;
  readonly onChange: (choices: readonly LiteralChoice[]) => void;
}

/** The values that the query has written in it: each can become a parameter. */
export function LiteralList({ choices, isLocked, onChange }: LiteralListProps) {
  const change = (at: number, changed: Partial<LiteralChoice>) =>
    onChange(choices.map((choice, index) => (index === at ? { ...choice, ...changed } : choice)));
  const isTaken = (name: string, at: number) =>
    choices.some((other, index) => index !== at && other.isChosen && same(other.name, name));
  return (
    <fieldset class="card literals" disabled={isLocked}>
      <legend>Values that callers choose</legend>
      {isLocked && <p class="quiet">The query was changed by hand: write @name there, and declare it.</p>}
      <ul>
        {choices.map(({ literal, isChosen, name }, at) => (
          <li key={literal.from}>
            <label>
              <input
                type="checkbox"
                checked={isChosen}
                onChange={({ currentTarget }) => change(at, { isChosen: currentTarget.checked })}
              />{' '}
              <code>
                <bdi>{literal.value.slice(0, 60)}</bdi>
              </code>{' '}
              <span class="quiet">
                {literal.type}
                {literal.compared !== undefined && (
                  <>
                    {' '}
                    of <bdi>{literal.compared.slice(0, 60)}</bdi>
                  </>
                )}
              </span>
            </label>
            {isChosen && (
              <input
                aria-label={`Name of the parameter for ${literal.value.slice(0, 60)}`}
                value={name}
                aria-invalid={!parameterName.test(name) || isTaken(name, at)}
                onChange={({ currentTarget }) => {
                  const next = currentTarget.value.trim();
                  if (parameterName.test(next) && !isTaken(next, at)) change(at, { name: next });
                  else currentTarget.value = name;
                }}
              />
            )}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
