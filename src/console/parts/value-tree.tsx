import { isObject, type Json, parseJson } from '../api/json.ts';
import { manyLines, oneLine } from './text/cell-text.ts';

interface ValueTreeProps {
  readonly value: Json;
}

/** Browsers lay out no longer text in reasonable time. */
const maxCharacters = 100_000;
const maxMembers = 1_000;

/** A value with its members to open. Texts that contain JSON are shown as such. */
export function ValueTree({ value }: ValueTreeProps) {
  const parsed = typeof value === 'string' ? nested(value) : value;
  if (typeof parsed !== 'object' || parsed === null) return <Text value={parsed} />;
  return <Members value={parsed} />;
}

function Members({ value }: { readonly value: readonly Json[] | { readonly [key: string]: Json } }) {
  const members = Object.entries(value);
  if (members.length === 0) return <span class="quiet">{Array.isArray(value) ? '[ ]' : '{ }'}</span>;
  return (
    <ul class="tree">
      {members.slice(0, maxMembers).map(([name, member]) => (
        <li key={name}>
          {isNested(member) ? (
            <details open={members.length <= 20}>
              <summary>
                <bdi class="tree-name">{oneLine(name)}</bdi>
                <span class="quiet"> {sizeOf(member)}</span>
              </summary>
              <Members value={member} />
            </details>
          ) : (
            <>
              <bdi class="tree-name">{oneLine(name)}</bdi> <Text value={member} />
            </>
          )}
        </li>
      ))}
      {members.length > maxMembers && (
        <li class="quiet">… and {(members.length - maxMembers).toLocaleString('en')} more</li>
      )}
    </ul>
  );
}

function Text({ value }: { readonly value: Exclude<Json, object> | null }) {
  if (value === null) return <span class="quiet">NULL</span>;
  if (typeof value !== 'string') return <code>{String(value)}</code>;
  if (value === '') return <span class="quiet">empty text</span>;
  const rest = value.length - maxCharacters;
  return (
    <>
      <bdi class="value-text">{manyLines(value.slice(0, maxCharacters))}</bdi>
      {rest > 0 && (
        <span class="quiet"> … and {rest.toLocaleString('en')} more characters. Copy it to see all.</span>
      )}
    </>
  );
}

function isNested(value: Json): value is readonly Json[] | { readonly [key: string]: Json } {
  return Array.isArray(value) || isObject(value);
}

function sizeOf(value: readonly Json[] | { readonly [key: string]: Json }): string {
  const size = Object.keys(value).length;
  return Array.isArray(value) ? `[${size}]` : `{${size}}`;
}

function nested(text: string): Json {
  if (text.length > maxCharacters || !/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
