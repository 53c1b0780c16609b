/** The permissions of keys: running endpoints, adding rows to sources, managing the gateway. */
export const scopes = ['query', 'write', 'admin'] as const;

export type Scope = (typeof scopes)[number];

export const everyScope: ReadonlySet<Scope> = new Set(scopes);
