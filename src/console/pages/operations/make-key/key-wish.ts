import type { JsonObject } from '../../../api/json.ts';
import { partsOf } from './key-fields.tsx';

/** What allowances are of, and their periods: see docs/keys.md. */
export const quantities = ['calls', 'rows', 'engine-seconds', 'bytes'] as const;
export const periods = ['hour', 'day', 'month'] as const;

/** What the form says, as `POST /api/keys` takes it. What is empty is left out. */
export function wishOf(form: FormData): JsonObject {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const all = (name: string) => form.getAll(name).map(String);
  const given = (name: string) => (text(name) === '' ? {} : { [name]: text(name) });
  const list = (name: string, values: readonly string[]) => (values.length === 0 ? {} : { [name]: values });
  const allow = quantities.flatMap((quantity) => {
    const amount = text(`allow-${quantity}`);
    return amount === '' ? [] : [`${quantity}=${amount}/${text(`per-${quantity}`)}`];
  });
  return {
    name: text('name'),
    scopes: all('scopes'),
    ...list('endpoints', all('endpoints')),
    ...list('projects', partsOf(text('projects'))),
    ...list('sources', partsOf(text('sources'))),
    ...given('expires'),
    ...given('rate'),
    ...given('class'),
    ...given('maxScanBytes'),
    ...list('allow', allow),
    ...(allow.length > 0 && text('whenSpent') === 'slow' && { whenSpent: 'slow' }),
    ...(form.has('redact') && { redact: true }),
  };
}
