import type { OpenEditing } from '../../server/operator/endpoint-files/endpoint-editing.ts';

/** Opens what helps with the texts of endpoints over HTTP. Gateways that nobody edits with don't load it. */
export const openEditing: OpenEditing = async (parts) => {
  const { ProjectEditing } = await import('./project-editing.ts');
  return new ProjectEditing(parts);
};
