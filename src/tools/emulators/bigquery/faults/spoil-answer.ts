import type { Fault } from './fault.ts';

type Holder = Record<string, unknown> | unknown[];

/** The text of a response after applying a fault. */
export function spoiledBody(json: object, { set, remove, repeat, body }: Fault): string {
  if (body !== undefined) return body;
  const spoiled: Record<string, unknown> = structuredClone({ ...json });
  for (const [path, value] of Object.entries(set ?? {})) {
    const [holder, key] = locate(spoiled, path);
    if (Array.isArray(holder)) holder[Number(key)] = value;
    else if (holder !== undefined) holder[key] = value;
  }
  for (const path of remove ?? []) {
    const [holder, key] = locate(spoiled, path);
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder?.[key];
  }
  const twice = (repeat ?? []).map(
    (name) => `${JSON.stringify(name)}:${JSON.stringify(spoiled[name] ?? null)},`,
  );
  return `{${twice.join('')}${JSON.stringify(spoiled).slice(1)}`;
}

/** The parent of the value at a path, and its key. Undefined if the path doesn't exist. */
function locate(root: Holder, path: string): readonly [Holder | undefined, string] {
  const steps = path.split('.');
  const key = steps.pop() ?? '';
  let holder: unknown = root;
  for (const step of steps) holder = isHolder(holder) ? Reflect.get(holder, step) : undefined;
  return [isHolder(holder) ? holder : undefined, key];
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null;
}
