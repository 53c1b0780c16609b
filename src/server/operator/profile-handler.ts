import { z } from 'zod';
import { Call, type CallParts } from '../../calls/call.ts';
import type { EndpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import { readJson } from '../http/read-json.ts';
import { asksForRedaction, payerOf } from '../http/request/gateway-headers.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import type { KeyedHandler } from '../http/route.ts';
import { endpointOfSegment } from '../rest/endpoint-of-segment.ts';

const bodySchema = z.strictObject({
  parameters: z.record(z.string(), z.union([z.string(), z.array(z.string())])).default({}),
});

interface ProfileHandlerParts {
  readonly endpoints: EndpointCatalog;
  readonly calls: CallParts;
}

/**
 * `POST /api/endpoint-profiles/<name or id>` with `{"parameters": {…}}`: runs the endpoint, drops its rows, and says where the
 * time of the run went. It is allowed what a call is, and counts as one.
 */
export function profileHandler({ endpoints, calls }: ProfileHandlerParts): KeyedHandler {
  return async (call) => {
    const { context, caller, segment, deadline } = call;
    const endpoint = endpointOfSegment(segment, endpoints, { caller });
    const { parameters } = await readJson(call, bodySchema, '{}');
    const { headersDistinct } = context.request;
    const asked = Call.authorise(
      {
        ...{ caller, endpoint, logFields: context.logFields, payer: payerOf(caller, headersDistinct) },
        given: new Map(Object.entries(parameters)),
        asksForRedaction: asksForRedaction(headersDistinct['lf-endpoint-redact-pii']),
      },
      calls,
    );
    const profile = await asked.profile(deadline.signal);
    return jsonAnswer(200, JSON.stringify(profile), { 'Cache-Control': 'private, no-store' });
  };
}
