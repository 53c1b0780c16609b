import { fieldName } from '../../../base/text/graphql-names.ts';
import {
  describeRules,
  parameterNotes,
} from '../../../definitions/endpoints/parameters/describe-parameter.ts';
import type { EndpointParameter } from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { formatType } from '../../../sql/values/type.ts';
import type { EndpointChange } from './endpoint-change.ts';

/** The differences between the parameters of two versions of an endpoint: calls are refused, or have other values. */
export function parameterChanges(
  before: readonly EndpointParameter[],
  after: readonly EndpointParameter[],
): EndpointChange[] {
  const old = new Map(before.map((parameter) => [parameter.name, parameter]));
  const now = new Map(after.map((parameter) => [parameter.name, parameter]));
  const change = (name: string, kind: string, text: string): EndpointChange => ({
    ...{ part: 'parameter', aspect: name, kind, where: '', isOfAnswers: true },
    text: `parameter \`${name}\` ${text}`,
  });
  return [
    ...before.filter(({ name }) => !now.has(name)).map(({ name }) => change(name, 'removed', 'removed')),
    ...after.flatMap((parameter) => {
      const was = old.get(parameter.name);
      return was === undefined
        ? [change(parameter.name, 'added', `added: ${formatType(parameter.type)}, ${notesOf(parameter)}`)]
        : [...differences(was, parameter)].map(([kind, text]) => change(parameter.name, kind, text));
    }),
  ];
}

function notesOf(parameter: EndpointParameter): string {
  return parameterNotes({ ...parameter, rules: describeRules(parameter) });
}

function* differences(
  was: EndpointParameter,
  is: EndpointParameter,
): Generator<[kind: string, text: string]> {
  const [oldType, type] = [formatType(was.type), formatType(is.type)];
  if (oldType !== type) yield ['retyped', `has another type: ${oldType} → ${type}`];
  if (was.required !== is.required)
    yield [
      'required',
      is.required ? 'is required now: calls without it are refused' : 'is no longer required',
    ];
  const [oldDefault, used] = [defaultText(was), defaultText(is)];
  if (oldDefault !== used) {
    if (used === undefined) yield ['default', `no longer has the default ${oldDefault}`];
    else
      yield [
        'default',
        oldDefault === undefined
          ? `has the default ${used} now`
          : `has another default: ${oldDefault} → ${used}`,
      ];
  }
  const [oldArgument, argument] = [argumentOf(was), argumentOf(is)];
  if (oldArgument !== argument)
    yield ['renamed', `has another name in GraphQL: \`${oldArgument}\` → \`${argument}\``];
  yield* valueDifferences(was.values, is.values);
  const [oldRules, rules] = [describeRules(was).join(', '), describeRules(is).join(', ')];
  if (oldRules !== rules && oldType === type)
    yield ['rules', `has other rules: ${oldRules || 'none'} → ${rules || 'none'}`];
}

function argumentOf({ name, argument }: EndpointParameter): string {
  return argument ?? fieldName(name) ?? name;
}

function defaultText({ default: used }: EndpointParameter): string | undefined {
  return used === undefined ? undefined : `\`${JSON.stringify(used)}\``;
}

function* valueDifferences(
  was: readonly string[] | undefined,
  is: readonly string[] | undefined,
): Generator<[kind: string, text: string]> {
  const list = (values: readonly string[]) => values.map((value) => `\`${value}\``).join(', ');
  if (was === undefined && is !== undefined) yield ['narrower', `allows only ${list(is)} now`];
  else if (was !== undefined && is === undefined) yield ['wider', 'allows all values now'];
  else if (was !== undefined && is !== undefined) {
    const removed = was.filter((value) => !is.includes(value));
    const added = is.filter((value) => !was.includes(value));
    if (removed.length > 0) yield ['narrower', `no longer allows ${list(removed)}`];
    if (added.length > 0) yield ['wider', `also allows ${list(added)}`];
  }
}
