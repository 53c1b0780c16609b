import { useEffect, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { parseFunctions } from '../../api/functions.ts';

const none: readonly string[] = [];

/** The names of the functions that queries may call. None, if the gateway doesn't tell: they only help to write. */
export function useFunctions(client: Client): readonly string[] {
  const [functions, setFunctions] = useState(none);
  useEffect(() => {
    const controller = new AbortController();
    client
      .json('/api/functions', { signal: controller.signal })
      .then((json) => setFunctions(parseFunctions(json)))
      .catch(() => {});
    return () => controller.abort();
  }, [client]);
  return functions;
}
