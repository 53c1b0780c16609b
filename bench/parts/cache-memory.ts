import type { Finding } from '../finding.ts';
export async function measureCacheMemory(): Promise<Finding[]> {
  return [];
}
