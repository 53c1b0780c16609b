import { z } from 'zod';
import type { ReceivedRequest } from '../wire/request.ts';

interface Planned {
  readonly fault: Fault;
  readonly path: RegExp | undefined;
  seen: number;
}

/** The injected faults of a server. */
export class Faults {
  readonly #planned: Planned[] = [];

  /** @throws ZodError when it is malformed, SyntaxError when its path is not a regular expression */
  add(input: FaultInput): void {
    const fault = faultSchema.parse(input);
    const path = fault.path === undefined ? undefined : new RegExp(fault.path);
    this.#planned.push({ fault, path, seen: 0 });
  }

  clear(): void {
    this.#planned.length = 0;
  }

  /** Returns and counts down the first fault that applies to a request. */
  take({ method, path }: Pick<ReceivedRequest, 'method' | 'path'>): Fault | undefined {
    let taken: Fault | undefined;
    for (const planned of this.#planned) {
      const { fault } = planned;
      if (fault.method !== undefined && fault.method !== method) continue;
      if (planned.path !== undefined && !planned.path.test(path)) continue;
      const turn = planned.seen++ - fault.skip;
      if (turn >= 0 && (fault.times === 0 || turn < fault.times)) taken ??= fault;
    }
    return taken;
  }
}

/** A path into JSON: `rows.0.f`. */
const path = z.string().min(1);

/** An injected fault, and the requests that it applies to. A request can have several faults. */
export const faultSchema = z.strictObject({
  /** Only requests with this method. */
  method: z.enum(['GET', 'POST']).optional(),
  /** Only requests whose path matches this regular expression: `/queries/`, `/cancel$`. */
  path: z.string().optional(),
  /** The number of matching requests to skip first. */
  skip: z.int().nonnegative().default(0),
  /** The number of matching requests it applies to; 0 means all. */
  times: z.int().nonnegative().default(1),

  /** Milliseconds to wait before the request is processed. */
  delayMs: z.int().nonnegative().optional(),
  /** Never responds, without executing the request or after executing it. */
  hang: z.enum(['before', 'after']).optional(),
  /**
   * Resets the connection: before the request is executed, after it, or in the middle of the response's body. `cut`
   * ends the body in the middle as if it were complete.
   */
  reset: z.enum(['before', 'after', 'body', 'cut']).optional(),
  /** Responds with an error without executing the request. */
  status: z
    .strictObject({
      code: z.int().min(300).max(599),
      /** Without a reason, the response is an HTML page, as from a proxy. */
      reason: z.string().optional(),
      message: z.string().default('Some error'),
      location: z.string().optional(),
      /** Seconds. */
      retryAfter: z.int().nonnegative().optional(),
    })
    .optional(),

  /** The error of the query's job. */
  jobError: z
    .strictObject({ reason: z.string(), message: z.string(), location: z.string().optional() })
    .optional(),
  /** Milliseconds that the query's job waits before it starts; with `forever` it runs until it is cancelled. */
  jobRunsMs: z.union([z.int().nonnegative(), z.literal('forever')]).optional(),
  /** Responds immediately that the job isn't complete, in any state. */
  incomplete: z.boolean().optional(),
  /** The maximum number of rows in the page. */
  rowsPerPage: z.int().positive().optional(),
  /** The page has no rows, but a token for the page with the rows. */
  emptyPage: z.boolean().optional(),
  /** The page's token leads to the same page again. */
  repeatToken: z.boolean().optional(),

  /** Errors of rows that `tabledata.insertAll` is to add, by their index. They are not added. */
  rowErrors: z
    .array(
      z.strictObject({ index: z.int().nonnegative(), reason: z.string(), message: z.string().default('') }),
    )
    .optional(),

  /** Fields of the response to overwrite. */
  set: z.record(path, z.unknown()).optional(),
  /** Fields of the response to remove. */
  remove: z.array(path).optional(),
  /** Top-level fields of the response to write twice. */
  repeat: z.array(path).optional(),
  /** Replaces the body. */
  body: z.string().optional(),
});

/** Without defaults. */
export type FaultInput = z.input<typeof faultSchema>;
export type Fault = z.infer<typeof faultSchema>;

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
