import type { GraphQLSchema } from 'graphql';
import { formatProblem } from '../../base/errors/problem.ts';
import { fileFailure, isFileFailure, readWrittenFile } from '../../base/system/read-written-file.ts';
import type { Output } from '../../base/terminal/output.ts';
import { ContractError, parseContract } from '../../server/graphql/contract/parse-contract.ts';

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
