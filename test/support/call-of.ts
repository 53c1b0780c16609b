import type { Caller, Payer } from '../../src/calls/access/caller/caller.ts';
import { everyScope } from '../../src/calls/access/caller/caller.ts';
import { noAdHocQueries } from '../../src/calls/call/ad-hoc-query.ts';
import {
  type AuthorisedCall,
  type AuthorisingParts,
  authoriseCall,
  type Reads,
} from '../../src/calls/call/authorised-call.ts';
import type { CallParts } from '../../src/calls/call.ts';
import type { Executor } from '../../src/calls/executor/executor.ts';
import type { Endpoint } from '../../src/definitions/endpoints/endpoint.ts';
import type { GivenValue } from '../../src/definitions/endpoints/parameters/endpoint-parameter.ts';
import type { Value } from '../../src/sql/values/value.ts';
import { callerNamed } from '../calls/executor/support/caller.ts';
import { liveAnswers, noPaging } from './gateway-parts.ts';

interface AskedCall {
  readonly endpoint: Endpoint;
  /** Values, which are given as texts. */
  readonly parameters?: ReadonlyMap<string, Value>;
  readonly payer?: Payer;
  /** The restrictions of the caller's key; by default, there are none. */
  readonly caller?: Partial<Caller>;
  readonly reads?: Reads;
}

/** What plans and serves calls in tests: everything is served. */
function authorising(parts: Partial<AuthorisingParts> = {}): AuthorisingParts {
  return { adHocQueries: noAdHocQueries, isServed: () => true, paging: noPaging, ...parts };
}

/** What calls are made with in tests. */
export function callParts(executor: Executor, parts: Partial<AuthorisingParts> = {}): CallParts {
  return { executor, live: liveAnswers(executor), ...authorising(parts) };
}

/** A call, authorised as protocols do it. */
export function callOf(
  { endpoint, parameters = new Map(), payer = callerNamed('test'), caller, reads }: AskedCall,
  parts: Partial<AuthorisingParts> = {},
): AuthorisedCall {
  return authoriseCall(
    {
      caller: { name: payer.key, scopes: everyScope, redact: false, ...caller },
      ...{ payer, endpoint, asksForRedaction: false },
      given: new Map([...parameters].map(([name, value]) => [name, givenOf(value)])),
      reads: () => reads,
    },
    authorising(parts),
  );
}

function givenOf(value: Value): GivenValue {
  return value === null ? null : Array.isArray(value) ? value.map(String) : String(value);
}
