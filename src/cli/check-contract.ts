import { readFile } from 'node:fs/promises';
import type { GraphQLSchema } from 'graphql';
import type { Output } from '../app/output.ts';
import { contractChanges } from '../graphql/contract/contract-changes.ts';
import { ContractError, parseContract } from '../graphql/contract/parse-contract.ts';
import { formatProblem } from '../problem.ts';
import { counted } from '../text/counted.ts';

/** Reads a previously printed schema. Returns undefined and writes to standard error if the file is not one. */
export async function readContract(
  file: string,
  { err }: Pick<Output, 'err'>,
): Promise<GraphQLSchema | undefined> {
  try {
    return parseContract(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof ContractError) {
      err(`${formatProblem({ file, ...error.place, text: error.message })}\n`);
    } else if (error instanceof Error && 'code' in error) {
      err(`--against ${file}: the file can't be read (${error.code})\n`);
    } else {
      throw error;
    }
    return undefined;
  }
}

/**
 * Prints the differences from a previously printed schema that clients may notice, one per line.
 *
 * @returns whether there are no breaking changes
 */
export function checkContract(
  contract: { readonly file: string; readonly schema: GraphQLSchema },
  schema: GraphQLSchema,
  { out, err }: Output,
): boolean {
  const changes = contractChanges(contract.schema, schema);
  for (const { severity, text } of changes) {
    err(`${severity === 'breaking' ? 'breaking' : 'warning'}: ${text}\n`);
  }
  const breaking = changes.filter(({ severity }) => severity === 'breaking').length;
  const found = `against ${contract.file}: ${breaking === 0 ? 'no breaking changes' : counted(breaking, 'breaking change')}\n`;
  if (breaking === 0) out(found);
  else err(found);
  return breaking === 0;
}
