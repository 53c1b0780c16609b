import { ownAccount } from '../src/base/fairness/account.ts';
import { everyScope } from '../src/calls/access/caller/caller.ts';
import { noAdHocQueries } from '../src/calls/call/ad-hoc-query.ts';
import { type AuthorisedCall, authoriseCall } from '../src/calls/call/authorised-call.ts';
import { Cursors } from '../src/calls/call/cursors.ts';
import { noPages } from '../src/calls/call/page-queries.ts';
import type { Endpoint } from '../src/definitions/endpoints/endpoint.ts';

/** A call by a key without restrictions, with its parameters as texts. */
export function callOf(endpoint: Endpoint, texts: Readonly<Record<string, string>>): AuthorisedCall {
  return authoriseCall(
    {
      caller: { name: 'bench', scopes: everyScope, redact: false },
      payer: { key: 'bench', account: ownAccount, spenders: [] },
      endpoint,
      given: new Map(Object.entries(texts)),
      asksForRedaction: false,
    },
    {
      adHocQueries: noAdHocQueries,
      isServed: () => true,
      paging: { queries: noPages, cursors: new Cursors('bench') },
    },
  );
}
