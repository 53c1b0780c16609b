import { isMap, isScalar, isSeq, parseDocument } from 'yaml';

/** The first comment of an endpoint's file, which has its settings in YAML: what is before them, and they themselves. */
const comment = /^(\uFEFF?(?:\s|(?:--|#)[^\n]*\n)*\/\*)(.*?)\*\//su;

/** A parameter, as the settings declare it. Absent rules are empty texts. */
export interface DeclaredParameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly example: string;
  readonly default: string;
  readonly min: string;
  readonly max: string;
  /** The allowed values, if they are limited. */
  readonly values: readonly string[];
  readonly description: string;
}

/** The settings that the form has fields for, as texts. */
export interface Header {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly maxRows: string;
  readonly cacheSeconds: string;
  readonly parameters: readonly DeclaredParameter[];
}

/** A value of a setting. Undefined removes it. */
export type SettingValue = string | number | boolean | readonly string[] | undefined;

/** The settings of a file. Undefined if they can't be read: the editor marks why. */
export function readHeader(text: string): Header | undefined {
  const document = documentOf(text);
  if (document === undefined || document.errors.length > 0 || !isMap(document.contents)) return undefined;
  const textAt = (path: readonly string[]): string => {
    const value = document.getIn(path, true);
    return isScalar(value) ? String(value.source ?? value.value ?? '') : '';
  };
  const parameters = document.get('parameters', true);
  const names = isMap(parameters)
    ? parameters.items.map(({ key }) => String(isScalar(key) ? key.value : key))
    : [];
  return {
    id: textAt(['id']),
    name: textAt(['name']),
    description: textAt(['description']),
    maxRows: textAt(['maxRows']),
    cacheSeconds: textAt(['cacheSeconds']),
    parameters: names.map((name) => {
      const of = (key: string) => textAt(['parameters', name, key]);
      const values = document.getIn(['parameters', name, 'values'], true);
      return {
        ...{ name, type: of('type') || 'STRING', required: of('required') === 'true' },
        ...{ example: of('example'), default: of('default'), min: of('min'), max: of('max') },
        values: isSeq(values) ? values.items.map((item) => String(isScalar(item) ? item.value : item)) : [],
        description: of('description'),
      };
    }),
  };
}

/** The file with another value of a setting. Its other settings and their comments stay. */
export function withSetting(text: string, path: readonly string[], value: SettingValue): string {
  const document = documentOf(text);
  if (document === undefined || document.errors.length > 0) return text;
  const changed = withPlainValue(text, document.getIn(path, true), value);
  if (changed !== undefined) return changed;
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
    if (document.hasIn(path)) document.deleteIn(path);
    const parent = path.slice(0, -1);
    const left = parent.length > 0 ? document.getIn(parent, true) : undefined;
    // Parameters without rules stay declared.
    if (isMap(left) && left.items.length === 0 && parent[0] !== 'parameters') document.deleteIn(parent);
  } else if (Array.isArray(value)) {
    const list = document.createNode(value.map(inComment), { flow: true });
    document.setIn(path, list);
  } else document.setIn(path, typeof value === 'string' ? inComment(value) : value);
  return withDocument(text, document.toString({ lineWidth: 0 }));
}

/** The file with another plain value in the place of one: everything else in it stays as it is written. Undefined where that isn't enough. */
function withPlainValue(text: string, node: unknown, value: SettingValue): string | undefined {
  if (!isScalar(node) || !node.range || (node.type !== 'PLAIN' && node.type !== undefined)) return undefined;
  const isPlain =
    typeof value === 'string' &&
    /^[A-Za-z][\w.-]*$/.test(value) &&
    !/^(?:true|false|null|yes|no|on|off)$/i.test(value);
  if (typeof value !== 'number' && typeof value !== 'boolean' && !isPlain) return undefined;
  const start = (comment.exec(text)?.[1] ?? '').length;
  const [from, to] = node.range;
  return `${text.slice(0, start + from)}${value}${text.slice(start + to)}`;
}

/** The file with a parameter, or with one under another name. */
export function withParameter(
  text: string,
  name: string,
  settings: Readonly<Record<string, SettingValue>>,
): string {
  const document = documentOf(text);
  if (document === undefined || document.errors.length > 0) return text;
  const given = Object.entries(settings).filter(([, value]) => value !== undefined && value !== '');
  document.setIn(['parameters', name], document.createNode(Object.fromEntries(given), { flow: true }));
  return withDocument(text, document.toString({ lineWidth: 0 }));
}

/** The file without a parameter. */
export function withoutParameter(text: string, name: string): string {
  const document = documentOf(text);
  if (document === undefined || document.errors.length > 0 || !document.hasIn(['parameters', name]))
    return text;
  document.deleteIn(['parameters', name]);
  const left = document.get('parameters', true);
  if (isMap(left) && left.items.length === 0) document.delete('parameters');
  return withDocument(text, document.toString({ lineWidth: 0 }));
}

/** The query of a file: all behind the comment. */
export function queryOf(text: string): string {
  return text.slice(comment.exec(text)?.[0].length ?? 0).trim();
}

/** The file with another query. */
export function withQuery(text: string, sql: string): string {
  return `${comment.exec(text)?.[0] ?? ''}\n${sql.trim()}\n`;
}

function documentOf(text: string) {
  const yaml = comment.exec(text)?.[2];
  return yaml === undefined ? undefined : parseDocument(yaml);
}

function withDocument(text: string, yaml: string): string {
  const found = comment.exec(text);
  return found === null ? text : `${found[1]}\n${yaml.trim()}\n*/${text.slice(found[0].length)}`;
}

/** A text that doesn't end the comment. */
function inComment(text: string): string {
  return text.replaceAll('*/', '* /');
}
