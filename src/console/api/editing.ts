import * as z from 'zod/mini';
import type { Client } from './client.ts';
import { endpoint } from './endpoints.ts';

/** The text of an endpoint's file that is being written. */
export interface EditedText {
  /** The name of the served endpoint whose file it is, or the name that its file is to have. */
  readonly name: string;
  readonly text: string;
}

const problem = z.object({
  from: z.number(),
  to: z.number(),
  message: z.string(),
  line: z.number(),
  column: z.number(),
});

const checked = z.object({
  /** The path of the file in the project. */
  file: z.string(),
  problems: z.array(problem),
  /** Absent if the text has errors. */
  endpoint: z.optional(endpoint),
  /** The tables that it reads, such as `logs.orders`. */
  reads: z.optional(z.array(z.string())),
});

const ofFile = z.object({ file: z.string(), text: z.string() });
const file = z.extend(ofFile, { test: z.optional(ofFile) });

const completions = z.object({
  from: z.number(),
  options: z.array(
    z.object({
      kind: z.enum([
        'column',
        'record',
        'parameter',
        'table',
        'key',
        'value',
        'operator',
        'function',
        'keyword',
      ]),
      label: z.string(),
      detail: z.optional(z.string()),
      description: z.optional(z.string()),
      insert: z.optional(z.string()),
      goesOn: z.optional(z.boolean()),
    }),
  ),
});

const hover = z.nullable(z.object({ from: z.number(), to: z.number(), text: z.string() }));

const literals = z.object({
  sql: z.string(),
  literals: z.array(
    z.object({
      from: z.number(),
      to: z.number(),
      type: z.string(),
      value: z.string(),
      name: z.string(),
      compared: z.optional(z.string()),
      isLikely: z.boolean(),
    }),
  ),
});

const compared = z.object({
  state: z.enum(['changed', 'same', 'new']),
  verdict: z.string(),
  changes: z.array(z.object({ text: z.string(), isOfAnswers: z.boolean() })),
});

const written = z.object({ file: z.string() });
const pushed = z.object({ branch: z.string() });

export type TextProblem = z.infer<typeof problem>;
export type CheckedText = z.infer<typeof checked>;
export type EndpointFile = z.infer<typeof file>;
export type QueryLiterals = z.infer<typeof literals>;
export type QueryLiteral = QueryLiterals['literals'][number];
export type ComparedText = z.infer<typeof compared>;
export type TextHover = z.infer<typeof hover>;

/** A file to be written: with `before`, it replaces what is there. */
export interface WrittenText {
  readonly text: string;
  readonly before?: string | undefined;
}

/** What the gateway knows of texts of endpoints. All of it throws Failure, and the signal's reason when it is aborted. */
export interface Editing {
  read(name: string, signal: AbortSignal): Promise<EndpointFile>;
  check(edited: EditedText, signal: AbortSignal): Promise<CheckedText>;
  complete(edited: EditedText, position: number): Promise<z.infer<typeof completions>>;
  hover(edited: EditedText, position: number): Promise<TextHover>;
  literals(sql: string, signal: AbortSignal): Promise<QueryLiterals>;
  compare(edited: EditedText, signal: AbortSignal): Promise<ComparedText>;
  /** Writes the files. Returns the path of that of the endpoint. */
  save(name: string, text: WrittenText, test: WrittenText | undefined): Promise<string>;
  /** Pushes the files to a new branch. Returns its name. */
  push(name: string, text: WrittenText, test: WrittenText | undefined): Promise<string>;
}

export function editingOf(client: Client): Editing {
  const ask = async <Schema extends z.ZodMiniType>(
    schema: Schema,
    step: string,
    body: Readonly<Record<string, string | number>>,
    signal?: AbortSignal,
  ): Promise<z.infer<Schema>> =>
    schema.parse(await client.json(`/api/drafts/${step}`, { method: 'POST', body, signal }));
  return {
    read: async (name, signal) =>
      file.parse(await client.json(`/api/endpoint-files/${encodeURIComponent(name)}`, { signal })),
    check: ({ name, text }, signal) => ask(checked, 'check', { name, text }, signal),
    complete: ({ name, text }, position) => ask(completions, 'complete', { name, text, position }),
    hover: ({ name, text }, position) => ask(hover, 'hover', { name, text, position }),
    literals: (sql, signal) => ask(literals, 'literals', { sql }, signal),
    compare: ({ name, text }, signal) => ask(compared, 'diff', { name, text }, signal),
    async save(name, text, test) {
      const path = `/api/endpoints/${encodeURIComponent(name)}`;
      return written.parse(await client.json(path, { method: 'PUT', body: bodyOf(text, test) })).file;
    },
    async push(name, text, test) {
      const body = { name, ...bodyOf(text, test) };
      return pushed.parse(await client.json('/api/drafts/push', { method: 'POST', body })).branch;
    },
  };
}

function bodyOf(text: WrittenText, test: WrittenText | undefined) {
  return { ...given(text), ...(test && { test: given(test) }) };
}

function given({ text, before }: WrittenText) {
  return before === undefined ? { text } : { text, before };
}
