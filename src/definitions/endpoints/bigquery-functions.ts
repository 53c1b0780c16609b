import path from 'node:path';
import { z } from 'zod';
import { type Problem, positionAt } from '../../base/errors/problem.ts';
import { type FolderFiles, filesOnDisk } from '../../base/system/folder-files.ts';
import { fileFailure, isNoFile } from '../../base/system/read-written-file.ts';
import { shownFile } from '../../base/system/shown-file.ts';
import { JsonMistake, LocatedJson } from '../../base/text/located-json.ts';
import type { CatalogFunction } from '../../sql/analyzer/catalog.ts';
import {
  bigQueryGroup,
  type DeclaredArgument,
  type DeclaredFunction,
  functionToProto,
} from '../../sql/analyzer/declared-functions.ts';
import { parseType } from '../../sql/values/parse-type.ts';
import { withoutUndefined } from './without-undefined.ts';

/** The file, in the folder of the endpoints, that declares functions which only BigQuery has. */
export const functionsFile = 'functions.json';

export interface LoadedFunctions {
  readonly functions: readonly CatalogFunction[];
  readonly problems: readonly Problem[];
}

/** Whether the analyzer has a function with this path already. */
export type KnowsFunction = (path: readonly string[]) => Promise<boolean>;

/** The largest number of declarations and of arguments. Each makes every analysis slower. */
const maxDeclarations = 500;
const maxArguments = 50;

const anyType = /^\s*ANY\s+TYPE\s*$/i;

/** A value as JSON, as far as a message has room for it. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 100 ? `${text.slice(0, 100)}...` : text;
}

const typeText = z.string().transform((text, context) => {
  const type = parseType(text);
  if (type !== undefined) return type;
  context.addIssue({ code: 'custom', message: `expected a GoogleSQL type, got ${shown(text)}` });
  return z.NEVER;
});

const argumentType = z.union(
  [
    z
      .string()
      .regex(anyType)
      .transform((): 'arbitrary' => 'arbitrary'),
    typeText,
  ],
  {
    error: ({ input }) => `expected a GoogleSQL type or ANY TYPE, got ${shown(input)}`,
  },
);

const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;

const argument = z.union(
  [
    argumentType.transform((type): DeclaredArgument => ({ type })),
    z.strictObject({
      type: argumentType,
      name: z.string().regex(identifier).optional(),
      optional: z.boolean().optional(),
      repeated: z.boolean().optional(),
    }),
  ],
  'expected a type such as "STRING", or an object with type, name, optional and repeated',
);

const declaration = z
  .strictObject({
    name: z
      .string()
      .regex(
        /^(?:[A-Za-z_][A-Za-z0-9_-]{0,127}\.){0,2}[A-Za-z_][A-Za-z0-9_]{0,255}$/,
        'expected the name of a function, such as SEARCH, AI.GENERATE or dataset.function',
      ),
    aggregate: z.boolean().default(false),
    arguments: z.array(argument).max(maxArguments).default([]),
    returns: typeText,
  })
  .superRefine(({ arguments: args }, context) => {
    const report = (index: number, message: string) =>
      context.addIssue({ code: 'custom', path: ['arguments', index], message });
    const names = new Set<string>();
    args.forEach(({ name, optional, repeated }, index) => {
      const before = args[index - 1];
      if (repeated && (optional || index < args.length - 1))
        report(index, 'only the last argument can be repeated, and it can not be optional as well');
      else if (before?.optional && !optional)
        report(index, 'an argument after an optional one must be optional');
      if (name === undefined) return;
      if (names.has(name.toLowerCase())) report(index, `the name ${name} occurs twice`);
      names.add(name.toLowerCase());
    });
  });

const declarations = z
  .array(declaration, 'expected a list of functions')
  .max(maxDeclarations, `at most ${maxDeclarations} declarations are allowed`);

/**
 * Reads the declarations of a folder, if it has any. Several declarations of one name are its signatures. Errors are
 * returned in `problems`, not thrown.
 */
export async function loadFunctions(
  folder: string,
  isKnown: KnowsFunction,
  files: Pick<FolderFiles, 'read'> = filesOnDisk,
): Promise<LoadedFunctions> {
  const location = path.join(folder, functionsFile);
  const file = shownFile(location);
  const whole = (text: string): LoadedFunctions => ({
    functions: [],
    problems: [{ file, line: 1, column: 1, text }],
  });
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await files.read(location));
  } catch (error) {
    if (error instanceof TypeError) return whole('not UTF-8');
    return isNoFile(error)
      ? { functions: [], problems: [] }
      : whole(`cannot be read (${fileFailure(error)})`);
  }
  return parseFunctions(file, text, isKnown);
}

async function parseFunctions(file: string, text: string, isKnown: KnowsFunction): Promise<LoadedFunctions> {
  const problems: Problem[] = [];
  const report = (offset: number, message: string) =>
    problems.push({ file, ...positionAt(text, offset), text: message });
  let located: LocatedJson;
  try {
    located = new LocatedJson(text);
  } catch (error) {
    if (!(error instanceof JsonMistake)) throw error;
    report(error.offset, `not JSON: ${error.message}`);
    return { functions: [], problems };
  }
  const parsed = declarations.safeParse(located.value);
  if (!parsed.success) {
    for (const { path: at, message } of parsed.error.issues) {
      const key = at.findLast((step) => typeof step === 'string');
      report(located.offsetOf(at), key === undefined ? message : `${String(key)}: ${message}`);
    }
    return { functions: [], problems };
  }
  const byName = new Map<string, DeclaredFunction>();
  for (const [index, { name, aggregate, arguments: args, returns }] of parsed.data.entries()) {
    const mode = aggregate ? 'AGGREGATE' : 'SCALAR';
    const key = name.toLowerCase();
    const other = byName.get(key);
    if (other !== undefined && other.mode !== mode)
      report(
        located.offsetOf([index, 'name']),
        `${name} is declared as an aggregate function and as another one`,
      );
    else if (other === undefined && (await isKnown(name.split('.'))))
      report(
        located.offsetOf([index, 'name']),
        `the function ${name} is known already: remove the declaration`,
      );
    const signatures = [
      ...(other?.signatures ?? []),
      { arguments: args.map((each) => withoutUndefined(each)), result: returns },
    ];
    byName.set(key, { name: other?.name ?? name, mode, signatures });
  }
  if (problems.length > 0) return { functions: [], problems };
  const functions = [...byName.values()].map((each) => ({
    path: each.name.split('.'),
    definition: functionToProto(each, bigQueryGroup),
  }));
  return { functions, problems };
}
