import type { Finding } from './finding.ts';
import { MeasurementError } from './proof.ts';

/** The results of some parts of the benchmark. */
export interface Outcome {
  readonly findings: readonly Finding[];
  /** The name and error of each failed part. */
  readonly failures: readonly string[];
}

/** Runs parts of the benchmark one after the other. A failed part has no findings, and the others still run. */
export async function runParts<Name extends string>(
  names: readonly Name[],
  run: (name: Name) => Promise<readonly Finding[]>,
  print: (text: string) => void,
): Promise<Outcome> {
  const findings: Finding[] = [];
  const failures: string[] = [];
  for (const name of names) {
    print(`${name} ...`);
    try {
      const found = await run(name);
      if (found.length === 0) throw new MeasurementError('nothing was measured');
      findings.push(...found);
    } catch (error) {
      const failure = `FAILED ${name}: ${reasonOf(error)}`;
      failures.push(failure);
      print(failure);
    }
  }
  return { findings, failures };
}

/** Shows the stack of a defect, but only the message of a measurement error. */
export function reasonOf(error: unknown): string {
  if (error instanceof MeasurementError) return error.message;
  return String(error instanceof Error ? error.stack : error);
}
