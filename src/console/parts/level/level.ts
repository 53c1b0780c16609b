import { isObject, type Json, type JsonObject } from '../../api/json.ts';

/** How serious a row is. */
export const severities = ['error', 'warning', 'info', 'debug', 'none'] as const;
export type Severity = (typeof severities)[number];

/** The level of a row: how serious it is, and the row's own word for it. */
export interface Level {
  readonly severity: Severity;
  readonly text: string;
}

const levelNames = /^(error_?)?(level|severity)(_?text)?$|^log_?level$|^level_?name$/;
const statusNames = /^(http_?)?status(_?code)?$/;

const severityOfWord: Readonly<Record<string, Severity>> = {
  ...of('error', ['error', 'err', 'fatal', 'critical', 'crit', 'alert', 'emergency', 'emerg', 'panic']),
  ...of('error', ['severe', 'failure']),
  ...of('warning', ['warning', 'warn']),
  ...of('info', ['info', 'information', 'informational', 'notice', 'log', 'default', 'ok', 'success']),
  ...of('debug', ['debug', 'trace', 'verbose', 'fine', 'debug1', 'debug2', 'debug3', 'debug4', 'debug5']),
};

function of(severity: Severity, words: readonly string[]): Readonly<Record<string, Severity>> {
  return Object.fromEntries(words.map((word) => [word, severity]));
}

/** Whether fields of a name have a level in words or numbers. */
export function isLevelName(name: string): boolean {
  return levelNames.test(plain(name));
}

/** Whether fields of a name have the status of HTTP. */
export function isStatusName(name: string): boolean {
  return statusNames.test(plain(name));
}

/** How far a row is searched. Rows can be of any size. */
const maxValues = 400;
const deepest = 6;
const maxWordLength = 24;

/**
 * The level of a row, wherever it stands in it: a field such as `level` or `error_severity`, in words or as a number of syslog
 * or pino; if there is none, the HTTP status. Fields further out come first.
 */
export function levelOf(row: JsonObject): Level {
  let status: Level | undefined;
  for (const { name, value } of scalarsOf(row)) {
    if (levelNames.test(name)) {
      const level = levelOfValue(value);
      if (level !== undefined) return level;
    }
    if (status === undefined && statusNames.test(name)) status = levelOfStatus(value);
  }
  return status ?? { severity: 'none', text: '' };
}

interface Scalar {
  /** In lower case, with `_` between words. */
  readonly name: string;
  readonly value: Json;
}

/** The values within a row, those further out first. */
function* scalarsOf(row: JsonObject): Generator<Scalar> {
  let visited = 0;
  let layer: readonly (readonly [name: string, value: Json])[] = Object.entries(row);
  for (let depth = 0; depth < deepest && layer.length > 0; depth += 1) {
    const inside: (readonly [string, Json])[] = [];
    for (const [name, value] of layer) {
      visited += 1;
      if (visited > maxValues) return;
      if (isArray(value)) {
        // Lists of records are one layer with their records.
        for (const element of value.slice(0, maxValues)) {
          if (isObject(element)) inside.push(...Object.entries(element));
        }
      } else if (isObject(value)) inside.push(...Object.entries(value));
      else yield { name: plain(name), value };
    }
    layer = inside;
  }
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function plain(name: string): string {
  return name
    .slice(0, 60)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

function levelOfValue(value: Json): Level | undefined {
  if (typeof value === 'number') return levelOfNumber(value);
  if (typeof value !== 'string' || value === '' || value.length > maxWordLength) return undefined;
  if (/^\d{1,2}$/.test(value)) return levelOfNumber(Number(value));
  const word = value.toLowerCase();
  const severity = Object.hasOwn(severityOfWord, word) ? severityOfWord[word] : undefined;
  // A word that isn't known is shown all the same.
  return { severity: severity ?? 'none', text: value };
}

/** From 0 to 7 as of syslog, from 10 on as of pino and bunyan. */
function levelOfNumber(value: number): Level | undefined {
  if (!Number.isInteger(value) || value < 0 || value > 60) return undefined;
  if (value < 8) {
    const severity = value <= 3 ? 'error' : value === 4 ? 'warning' : value <= 6 ? 'info' : 'debug';
    return { severity, text: String(value) };
  }
  const severity = value >= 50 ? 'error' : value >= 40 ? 'warning' : value >= 30 ? 'info' : 'debug';
  return { severity, text: String(value) };
}

function levelOfStatus(value: Json): Level | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 100 || status > 599)
    return undefined;
  const severity = status >= 500 ? 'error' : status >= 400 ? 'warning' : 'info';
  return { severity, text: String(status) };
}
