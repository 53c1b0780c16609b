import { ownAccount } from '../src/access/account.ts';
import { everyScope } from '../src/access/scope.ts';
import { noAdHocQueries } from '../src/calls/ad-hoc-query.ts';
import { type AuthorisedCall, authoriseCall } from '../src/calls/authorised-call.ts';
import type { Endpoint } from '../src/endpoints/endpoint.ts';

/** A call by a key without restrictions, with its parameters as texts. */
export function callOf(endpoint: Endpoint, texts: Readonly<Record<string, string>>): AuthorisedCall {
  return authoriseCall(
    {
      caller: { name: 'bench', scopes: everyScope, redact: false },
      payer: { key: 'bench', account: ownAccount },
      endpoint,
      given: new Map(Object.entries(texts)),
      asksForRedaction: false,
    },
    { adHocQueries: noAdHocQueries, isServed: () => true },
  );
}
