import type { ComponentChildren } from 'preact';
import { isObject, type Json, type JsonObject, parseJson, type ValuePath } from '../../api/json.ts';
import { manyLines, oneLine } from '../text/cell-text.ts';

interface ValueTreeProps {
  readonly value: Json;
  /** What stands after a value within it that has no members. */
  readonly after?: ((path: ValuePath, value: Json) => ComponentChildren) | undefined;
}

/** Browsers lay out no longer text in reasonable time. */
const maxCharacters = 100_000;
const maxMembers = 1_000;

/** A value with its members to open. Texts that contain JSON are shown as such. */
export function ValueTree({ value, after }: ValueTreeProps) {
  const parsed = typeof value === 'string' ? nested(value) : value;
  if (typeof parsed !== 'object' || parsed === null) return <Text value={parsed} />;
  return <Members value={parsed} path={[]} after={after} />;
}

interface MembersProps extends Pick<ValueTreeProps, 'after'> {
  readonly value: readonly Json[] | JsonObject;
  readonly path: ValuePath;
}

function Members({ value, path, after }: MembersProps) {
  const members = Object.entries(value);
  const pathTo = (name: string) => [...path, Array.isArray(value) ? Number(name) : name];
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
              <Members value={member} path={pathTo(name)} after={after} />
            </details>
          ) : (
            <>
              <bdi class="tree-name">{oneLine(name)}</bdi> <Text value={member} />
              {after?.(pathTo(name), member)}
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

function isNested(value: Json): value is readonly Json[] | JsonObject {
  return Array.isArray(value) || isObject(value);
}

function sizeOf(value: readonly Json[] | JsonObject): string {
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
