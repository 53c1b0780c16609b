import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { faultSchema } from '../faults/fault.ts';
import type { Faults } from '../faults/faults.ts';
import { readRequest } from './read-request.ts';

export const faultsPath = '/faults';

/** `POST` adds a fault, given as JSON; `DELETE` removes all. BigQuery has no such path. */
export function faultsHandler(faults: Faults) {
  return async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = (status: number, json: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(`${JSON.stringify(json)}\n`);
    };
    const { method, body } = await readRequest(message, 0);
    if (method === 'DELETE') {
      faults.clear();
      return answer(200, { cleared: true });
    }
    if (method !== 'POST') return answer(405, { error: 'POST a fault, or DELETE them all' });
    try {
      const fault = faultSchema.parse(JSON.parse(body));
      faults.add(fault);
      return answer(200, { added: fault });
    } catch (error) {
      const text = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      return answer(400, { error: text });
    }
  };
}
