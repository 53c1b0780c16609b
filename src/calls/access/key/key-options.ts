import { bytesExpected, parseBytes, parseSomeBytes } from '../../../base/forms/bytes.ts';
import { expiryExpected, parseExpiry } from '../../../base/forms/expiry.ts';
import { parseRate, rateExpected } from '../../../base/forms/rate.ts';
import { queryClasses } from '../../../definitions/classes/query-class.ts';
import { allowanceExpected, parseAllowance, repeatedAllowance, whenSpent } from '../caller/allowance.ts';
import { type Scope, scopes } from '../caller/caller.ts';
import { holdsKeyText } from './key-text.ts';
import type { NewKeyOptions } from './new-key.ts';
import { keyName, parameterName, projectRef } from './stored-key.ts';

/** The properties of a key to make, as given. Texts of lists can contain several elements, separated by commas. */
export interface KeyOptions {
  readonly name: string;
  readonly endpoints?: readonly string[];
  readonly projects?: readonly string[];
  readonly pin?: readonly string[];
  readonly sources?: readonly string[];
  readonly scopes?: readonly string[];
  readonly expires?: string;
  readonly redact?: boolean;
  readonly rate?: string;
  readonly bytesPerDay?: string;
  readonly maxScanBytes?: string;
  readonly class?: string;
  readonly allow?: readonly string[];
  readonly whenSpent?: string;
}

/** An option of a key to make or to rotate. */
type OptionName = keyof KeyOptions | 'overlap';

interface Problem {
  readonly option: OptionName;
  readonly text: string;
}

/** What an option is called where it was given, such as `--bytes-per-day`. */
export type NameOption = (option: OptionName) => string;

/** Thrown for invalid options, with every problem. Each problem names its option. */
export class OptionProblems extends Error {
  override readonly name = 'OptionProblems';

  constructor(problems: readonly Problem[], nameOf: NameOption) {
    super([...new Set(problems.map(({ option, text }) => `${nameOf(option)}: ${text}`))].join('\n'));
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Determines the wanted key from the options. Nothing is guessed: an invalid value is a problem. So is an empty list,
 * which does not mean "unrestricted".
 *
 * @param now in milliseconds since the epoch
 * @throws OptionProblems
 */
export function readKeyOptions(options: KeyOptions, now: number, nameOf: NameOption): NewKeyOptions {
  const problems: Problem[] = [];
  const report = (option: keyof KeyOptions, text: string) => problems.push({ option, text });
  const name = options.name.normalize('NFC');
  if (!keyName.test(name)) {
    report(
      'name',
      'expected 1 to 64 letters, digits, spaces and ._@:+-, starting with a letter or digit, but not with key_',
    );
  } else if (holdsKeyText(name)) {
    report('name', 'expected a name, got a key; never store keys in plain text');
  }
  const list = (
    option: keyof KeyOptions,
    given: readonly string[] | undefined,
    isItem: (item: string) => boolean,
    expected: string,
  ) => {
    if (given === undefined) return undefined;
    const items = [...new Set(given.flatMap((text) => text.split(',')).map((item) => item.trim()))];
    const wrong = items.find((item) => !isItem(item));
    if (wrong !== undefined) report(option, `${expected}, got ${JSON.stringify(wrong)}`);
    return items;
  };
  const parsed = <T>(
    option: keyof KeyOptions,
    text: string | undefined,
    parse: (text: string) => T | undefined,
    expected: string,
  ) => {
    if (text === undefined) return undefined;
    const value = parse(text);
    if (value === undefined) report(option, `${expected}, got ${JSON.stringify(text)}`);
    return value;
  };
  const endpoints = list(
    'endpoints',
    options.endpoints,
    (item) => item !== '',
    'expected names or ids of endpoints',
  )?.map((item) => (uuid.test(item) ? item.toLowerCase() : item));
  const projects = list(
    'projects',
    options.projects,
    (item) => projectRef.test(item),
    'expected project references of letters, digits, _ and -',
  );
  const sources = list('sources', options.sources, (item) => item !== '', 'expected names of sources');
  for (const option of ['endpoints', 'projects', 'pin', 'sources'] as const) {
    if (options[option]?.length === 0) report(option, 'expected at least one');
    if (options[option]?.some(holdsKeyText)) report(option, 'contains a key; never store keys in plain text');
  }
  const scopeList = list('scopes', options.scopes, isScope, `expected one or more of ${scopes.join(', ')}`);
  if (
    scopeList?.includes('tables') &&
    [options.endpoints, options.projects, options.pin, options.sources].some(Boolean)
  )
    report('scopes', 'tables is for keys without restrictions: its queries read all rows of all sources');
  if (sources !== undefined && scopeList?.includes('write') !== true)
    report(
      'sources',
      'restricts where a key writes, so it needs the scope write; other scopes read any source',
    );
  const pins = options.pin?.map((text) => readPin(text, report));
  const pinned = new Map<string, string>();
  for (const { parameter, value } of pins ?? []) {
    const other = pinned.get(parameter) ?? value;
    if (other !== value) report('pin', `${parameter} has two values`);
    pinned.set(parameter, other);
    if (parameter === 'project' && projects !== undefined) {
      report('pin', `project is already restricted by ${nameOf('projects')}`);
    }
  }
  const expires = parsed('expires', options.expires, (text) => parseExpiry(text, now), expiryExpected);
  if (expires !== undefined && expires <= now) report('expires', 'expected a time in the future');
  parsed('rate', options.rate, parseRate, rateExpected);
  const bytesPerDay = parsed('bytesPerDay', options.bytesPerDay, parseBytes, bytesExpected);
  const maxScanBytes = parsed('maxScanBytes', options.maxScanBytes, parseSomeBytes, bytesExpected);
  const ofClass = parsed(
    'class',
    options.class,
    (text) => queryClasses.find((name) => name === text),
    `expected ${queryClasses.join(', ')}`,
  );
  const allow = list('allow', options.allow, (item) => parseAllowance(item) !== undefined, allowanceExpected);
  const repeated = repeatedAllowance({ allow, bytesPerDay });
  if (repeated !== undefined) report('allow', `${repeated.replace('-', ' by ')} is given twice`);
  const spent = whenSpent.find((each) => each === (options.whenSpent ?? 'refuse'));
  if (spent === undefined) report('whenSpent', `expected one of ${whenSpent.join(', ')}`);
  if (spent === 'slow' && allow === undefined && bytesPerDay === undefined)
    report('whenSpent', `there is nothing to be spent: give ${nameOf('allow')}, too`);
  if (problems.length > 0) throw new OptionProblems(problems, nameOf);
  return {
    name,
    scopes: scopeList?.filter(isScope) ?? ['query'],
    ...(expires !== undefined && { expires }),
    ...(endpoints && { endpoints }),
    ...(projects && { projects }),
    ...(pins && { pins: [...pinned].map(([parameter, value]) => ({ parameter, value })) }),
    ...(sources && { sources }),
    ...(options.redact && { redact: true }),
    ...(options.rate !== undefined && { rate: options.rate }),
    ...(bytesPerDay !== undefined && { bytesPerDay }),
    ...(maxScanBytes !== undefined && { maxScanBytes }),
    ...(ofClass && { class: ofClass }),
    ...(allow && { allow }),
    ...(spent === 'slow' && { whenSpent: spent }),
  };
}

function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}

function readPin(text: string, report: (option: 'pin', text: string) => void) {
  const equals = text.indexOf('=');
  const parameter = text.slice(0, Math.max(equals, 0));
  if (!parameterName.test(parameter)) {
    report('pin', `expected name=value, the name of a parameter and its value, got ${JSON.stringify(text)}`);
  }
  return { parameter, value: text.slice(equals + 1) };
}
