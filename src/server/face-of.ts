import type { FaceName } from '../metrics/request-meter.ts';

const queryPath = /^\/(?:api\/)?endpoints\/query\//;
const graphqlPaths = /^\/graphql(?:\?|$)/;

/** The face that a request is for, by its target, whether it gets there or is refused before. */
export function faceOf(target: string): FaceName {
  if (queryPath.test(target)) return 'rest';
  return graphqlPaths.test(target) ? 'graphql' : 'other';
}
