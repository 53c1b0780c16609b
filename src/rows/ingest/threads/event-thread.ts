import { parentPort, workerData } from 'node:worker_threads';
import { lowerThisThread } from '../../../base/system/priority.ts';
import { packError } from '../../../engines/wire/packed-error.ts';
import { EventParser } from '../events/parse-events.ts';
import { type EventAnswer, type EventOrder, type EventThreadSettings, remember } from './parse-order.ts';

/** Parsers by the lists of sources that this thread has received. */
const parsers = new Map<number, EventParser>();

const { isLowered, limits }: EventThreadSettings = workerData;
if (isLowered) lowerThisThread();

parentPort?.on('message', (order: EventOrder) => parentPort?.postMessage(answer(order)));

function answer({ id, form, formId, bytes, request }: EventOrder): EventAnswer {
  if (form !== undefined) remember(parsers, formId, new EventParser(form, limits));
  const parser = parsers.get(formId);
  if (parser === undefined) throw new TypeError(`no form ${formId}`);
  try {
    return { id, parsed: parser.parse(bytes, request) };
  } catch (error) {
    return { id, error: packError(error) };
  }
}
