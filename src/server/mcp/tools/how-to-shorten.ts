import type { EndpointTool } from './endpoint-tool.ts';

/** What a model can do about rows that are too large for a result of the tool. */
export function howToShorten({ isAdHoc, shape: { tables } }: EndpointTool): string {
  if (isAdHoc) return 'Select fewer columns or fields, aggregate, or shorten texts by SUBSTR.';
  const hasQueries = tables !== undefined && tables.tables.length > 0;
  return hasQueries ? `Select fewer columns by ${tables.queryField}.` : 'Narrow the result by the arguments.';
}
