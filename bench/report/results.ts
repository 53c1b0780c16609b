import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { partNames } from './part-name.ts';

const machine = z.object({
  processor: z.string(),
  cores: z.int().positive(),
  memoryBytes: z.int().positive(),
  system: z.string(),
  /** The load average over a minute when the part began: it also has what the part before did. */
  load: z.number().nonnegative(),
  /** The part of the processor time that others used just before, from 0 to 1. Older results and some systems lack it. */
  usedByOthers: z.number().min(0).max(1).optional(),
});

const outcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    /** What was measured, in the form of the part's own schema. */
    data: z.unknown(),
  }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);

const storedPart = z.object({
  /** The command that measures it again. */
  command: z.string(),
  /** When it began, as an ISO text. */
  began: z.string(),
  seconds: z.number().nonnegative(),
  machine,
  /** Names and versions of the programs that were measured. */
  versions: z.record(z.string(), z.string()),
  outcome,
});

const results = z.object({ parts: z.partialRecord(z.enum(partNames), storedPart) });

export type Machine = Readonly<z.infer<typeof machine>>;
export type PartOutcome = z.infer<typeof outcome>;
/** A part as it was measured last. */
export type StoredPart = Readonly<z.infer<typeof storedPart>>;
/** The content of `results.json`: all that the page is made of. */
export type Results = z.infer<typeof results>;

/**
 * Parses the text of `results.json`.
 *
 * @throws Error when it has another form
 */
export function parseResults(text: string): Results {
  const parsed = results.safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new Error(`the results have another form:\n${z.prettifyError(parsed.error)}`);
}

/** Reads the results of former runs; none if there is no such file. */
export async function readResults(file: string): Promise<Results> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { parts: {} };
    throw error;
  }
  return parseResults(text);
}

/** Replaces the file as a whole: an interruption leaves the former results. */
export async function writeResults(file: string, { parts }: Results): Promise<void> {
  const inOrder = Object.fromEntries(
    partNames.flatMap((name) => (parts[name] === undefined ? [] : [[name, parts[name]]])),
  );
  await writeFile(`${file}.new`, `${JSON.stringify({ parts: inOrder }, null, 1)}\n`);
  await rename(`${file}.new`, file);
}
