import type { Endpoint } from '../../api/endpoints.ts';

/** The endpoints that contain each word of a text, those with the words in their name first. */
export function searchEndpoints(endpoints: readonly Endpoint[], text: string): readonly Endpoint[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const inName = endpoints.filter(({ name }) => hasAll(name, words));
  const elsewhere = endpoints.filter(
    (endpoint) => !inName.includes(endpoint) && hasAll(textOf(endpoint), words),
  );
  return [...inName, ...elsewhere];
}

function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}

function textOf({ id, name, description, graphqlField, parameters, columns, tables }: Endpoint): string {
  const names = [...parameters, ...columns, ...tables].map((part) => part.name);
  return [id, name, description, graphqlField, ...names].join('\n');
}
