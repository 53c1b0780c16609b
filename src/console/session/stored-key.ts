const name = 'api-key';

// Storage for this tab only, which ends with it. Browsers that keep nothing ask for the key after each reload.
export function storedKey(): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function storeKey(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, key);
  } catch {}
}
