import { type AnyNode, asMessage } from '../resolved/node.ts';

/** The function of a call, `resolved_function_call_node`: its name in lower case, without its group. */
export function calledFunction(call: AnyNode): string {
  const { function: called } = asMessage(call.parent, 'parent');
  return String(asMessage(called, 'function').name).replace(/^.*:/, '').toLowerCase();
}
