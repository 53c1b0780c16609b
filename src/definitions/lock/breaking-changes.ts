import type { LockedColumns, LockedParameter, LockedVersion } from './locked-version.ts';

/**
 * The changes of a version that break clients, a sentence each: what they get or give is gone, has another type, or is newly
 * required or limited. Additions don't, nor do changes of defaults, of the order of columns and of what the query means.
 */
export function breakingChanges(before: LockedVersion, after: LockedVersion): readonly string[] {
  return [
    ...(before.id === after.id ? [] : [`the id was ${before.id}`]),
    ...parameterBreaks(before.parameters, after.parameters),
    ...columnBreaks(before.columns, after.columns, 'the column'),
    ...tableBreaks(before, after),
  ];
}

function tableBreaks(before: LockedVersion, after: LockedVersion): string[] {
  return (before.tables ?? []).flatMap(({ name, columns }) => {
    const now = after.tables?.find((table) => table.name === name);
    return now === undefined
      ? [`the table ${name} is gone`]
      : columnBreaks(columns, now.columns, `the column of the table ${name},`);
  });
}

function columnBreaks(before: LockedColumns, after: LockedColumns, what: string): string[] {
  const now = new Map(after);
  const gone = before.filter(([path]) => !now.has(path)).map(([path]) => path);
  return before.flatMap(([path, type]) => {
    const other = now.get(path);
    if (other === undefined) {
      // Those within a record that is gone are gone with it.
      const isWithin = gone.some((outer) => path.startsWith(`${outer}.`));
      return isWithin ? [] : [`${what} ${path} ${type} is gone`];
    }
    // A promise that values are not NULL may be added.
    if (other === type || other === `${type} NOT NULL`) return [];
    return [`${what} ${path} is ${other}, and was ${type}`];
  });
}

function parameterBreaks(before: readonly LockedParameter[], after: readonly LockedParameter[]): string[] {
  const old = new Set(before.map(({ name }) => name));
  const now = new Map(after.map((each) => [each.name, each]));
  const added = after
    .filter(({ name, required }) => required && !old.has(name))
    .map(({ name }) => `the parameter ${name} is new, and required`);
  const others = before.flatMap((was) => {
    const is = now.get(was.name);
    if (is === undefined) return [`the parameter ${was.name} is gone`];
    return narrowings(was, is).map((text) => `the parameter ${was.name} ${text}`);
  });
  return [...others, ...added];
}

/** What calls could give and no longer can. */
function narrowings(was: LockedParameter, is: LockedParameter): string[] {
  if (is.type !== was.type) return [`is ${is.type}, and was ${was.type}`];
  const texts: string[] = [];
  if (is.required && !was.required) texts.push('is required, and was not');
  const { values } = is;
  const refused = values && (was.values ?? []).filter((value) => !values.includes(value));
  if (values !== undefined && was.values === undefined) texts.push(`allows ${values.join(', ')} only`);
  else if (refused !== undefined && refused.length > 0) texts.push(`no longer allows ${refused.join(', ')}`);
  if (isNarrower(was.min, is.min, 1)) texts.push(`is at least ${is.min}${before(was.min)}`);
  for (const rule of ['max', 'maxLength', 'maxItems'] as const)
    if (isNarrower(was[rule], is[rule], -1)) texts.push(`has ${rule} ${is[rule]}${before(was[rule])}`);
  if (is.pattern !== undefined && is.pattern !== was.pattern) texts.push('has another pattern');
  return texts;
}

/**
 * Whether a bound excludes more than before. Bounds that are no numbers can't be compared here: a change of them may exclude
 * more.
 *
 * @param direction 1 for a lower bound, -1 for an upper one
 */
function isNarrower(
  was: string | number | undefined,
  is: string | number | undefined,
  direction: 1 | -1,
): boolean {
  if (is === undefined || is === was) return false;
  const difference = Number(is) - Number(was ?? Number.NaN);
  return Number.isNaN(difference) || difference * direction > 0;
}

function before(was: string | number | undefined): string {
  return was === undefined ? '' : `, and was ${was}`;
}
