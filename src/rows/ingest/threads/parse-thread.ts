import { parentPort, workerData } from 'node:worker_threads';
import { lowerThisThread } from '../../../base/system/priority.ts';
import { ChunkParser } from '../parse/chunk-parser.ts';
import { type ParseAnswer, type ParseOrder, remember, type ThreadSettings } from './parse-order.ts';

/** Parsers by the forms of lines that this thread has received. */
const parsers = new Map<number, ChunkParser>();

const { isLowered }: ThreadSettings = workerData;
if (isLowered) lowerThisThread();

parentPort?.on('message', ({ id, form, formId, bytes }: ParseOrder) => {
  if (form !== undefined) remember(parsers, formId, new ChunkParser(form));
  const parser = parsers.get(formId);
  if (parser === undefined) throw new TypeError(`no form ${formId}`);
  parser.add(bytes);
  const chunk = parser.take();
  const answer: ParseAnswer = { id, chunk, bytes };
  parentPort?.postMessage(answer, [bytes.buffer, chunk.blanks.buffer]);
});
