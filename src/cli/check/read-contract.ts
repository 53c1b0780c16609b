import type { GraphQLSchema } from 'graphql';
import type { Output } from '../../app/output.ts';
import { ContractError, parseContract } from '../../graphql/contract/parse-contract.ts';
import { formatProblem } from '../../problem.ts';
import { fileFailure, isFileFailure, readWrittenFile } from '../../system/read-written-file.ts';

/** Reads a previously printed schema. Returns undefined and writes to standard error if the file is not one. */
export async function readContract(
  file: string,
  { err }: Pick<Output, 'err'>,
): Promise<GraphQLSchema | undefined> {
  try {
    return parseContract((await readWrittenFile(file)).toString());
  } catch (error) {
    if (error instanceof ContractError) {
      err(`${formatProblem({ file, ...error.place, text: error.message })}\n`);
    } else if (isFileFailure(error)) {
      err(`--against ${file}: the file can't be read (${fileFailure(error)})\n`);
    } else {
      throw error;
    }
    return undefined;
  }
}
