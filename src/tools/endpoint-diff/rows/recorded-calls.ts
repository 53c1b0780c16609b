import { z } from 'zod';
import type { Json } from '../../../base/text/exact-json.ts';

/** A call that was recorded. */
export interface RecordedCall {
  /** The line in the file, from 1. */
  readonly line: number;
  /** The name or id of the endpoint. */
  readonly endpoint: string;
  /** Undefined if the record doesn't have them. */
  readonly parameters: ReadonlyMap<string, Json> | undefined;
  /** The ad-hoc query, if it is one. */
  readonly query?: { readonly language: 'sql' | 'lql'; readonly text: string };
}

/** The calls of a file, and the lines that aren't records of calls. */
export interface RecordedCalls {
  readonly calls: readonly RecordedCall[];
  readonly otherLines: number;
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** A line of the gateway's request log, or of a log with the same fields whose path or URL has the query string. */
const lineSchema = z.object({
  endpoint: z.string().optional(),
  path: z.string().optional(),
  url: z.string().optional(),
  parameters: z.record(z.string(), z.union([scalar, z.array(scalar)])).optional(),
});

const restPath = /\/endpoints\/query\/(?:name\/)?([^/?#]+)/;

/**
 * Reads recorded calls from NDJSON: lines of the gateway's request log, or lines with an `endpoint` and its `parameters`. The
 * gateway's own lines have no values: only calls without parameters can be repeated from them.
 */
export function readRecordedCalls(text: string): RecordedCalls {
  const calls: RecordedCall[] = [];
  let otherLines = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const call = recordedCall(line, index + 1);
    if (call === undefined) otherLines += 1;
    else calls.push(call);
  }
  return { calls, otherLines };
}

function recordedCall(text: string, line: number): RecordedCall | undefined {
  const parsed = lineSchema.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const { endpoint, path, url, parameters } = parsed.data;
  const target = url ?? path ?? '';
  const named = restPath.exec(target)?.[1];
  const name = endpoint ?? (named === undefined ? undefined : decoded(named));
  if (name === undefined || name === '') return undefined;
  if (parameters !== undefined)
    return {
      line,
      endpoint: name,
      parameters: new Map(Object.entries(parameters).map(([key, value]) => [key, asTexts(value)])),
    };
  const at = target.indexOf('?');
  if (at < 0) return { line, endpoint: name, parameters: undefined };
  const given = new Map<string, Json>();
  for (const [key, value] of new URLSearchParams(target.slice(at + 1).replace(/#.*$/, '')))
    given.set(key, value);
  const language = given.has('sql') ? 'sql' : 'lql';
  const query = given.get(language);
  return {
    ...{ line, endpoint: name, parameters: given },
    ...(typeof query === 'string' && query !== '' && { query: { language, text: query } }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Percent-encoding that is invalid stays as it is: no endpoint has such a name. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Numbers and booleans as callers write them. */
function asTexts(value: z.infer<typeof scalar> | z.infer<typeof scalar>[]): Json {
  if (Array.isArray(value)) return value.map((each) => (each === null ? null : String(each)));
  return value === null ? null : String(value);
}
