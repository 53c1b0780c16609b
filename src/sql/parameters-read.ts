import { remembered } from '../remembered.ts';
import type { Plan } from './plan.ts';
import { nodesOf } from './tree-nodes.ts';

/** The parameters that a plan reads, as they are declared. GoogleSQL ignores the letter case of their names. */
export const parametersRead = remembered(({ statement, parameters }: Plan): ReadonlySet<string> => {
  const read = new Set(
    nodesOf('resolved_parameter_node', statement).map(({ name }) => String(name).toLowerCase()),
  );
  return new Set([...parameters.keys()].filter((name) => read.has(name.toLowerCase())));
});
