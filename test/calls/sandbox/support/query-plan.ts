import type { World } from './world.ts';

/** An operator of DuckDB's plan, with those below it. */
export interface PlanNode {
  readonly name: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
  readonly children: readonly PlanNode[];
}

/** DuckDB's plan of a query in its own SQL. */
export async function planOf({ store }: Pick<World, 'store'>, sql: string): Promise<PlanNode> {
  const connection = await store.connect();
  try {
    const reader = await connection.runAndReadAll(`EXPLAIN (FORMAT json) ${sql}`);
    return JSON.parse(String(reader.value(1, 0)))[0];
  } finally {
    connection.closeSync();
  }
}

/** An operator, and all below it. */
export function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...node.children.flatMap(nodesOf)];
}
