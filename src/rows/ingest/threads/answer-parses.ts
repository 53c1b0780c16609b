import { parentPort, workerData } from 'node:worker_threads';
import { Answerer } from '../../../base/channel/answerer.ts';
import { portTransport } from '../../../base/channel/port-transport.ts';
import { lowerThisThread } from '../../../base/system/priority.ts';
import { cancelledCall, packError } from '../../../engines/wire/packed-error.ts';
import { type ParseCalls, remember, type ThreadSettings } from './parse-calls.ts';

/** Answers the calls to this thread, which is one of `ParseThreads`. Each form has a parser. */
export function answerParses<Form, Request, Result>(
  makeParser: (
    form: Form,
    settings: ThreadSettings,
  ) => (bytes: Uint8Array<ArrayBuffer>, request: Request) => Result,
): void {
  const settings: ThreadSettings = workerData;
  if (settings.isLowered) lowerThisThread();
  if (parentPort === null) throw new TypeError('This module is that of a thread');
  const parsers = new Map<number, ReturnType<typeof makeParser>>();
  const calls: ParseCalls<Form, Request, Result> = {
    async parse(formId, form, bytes, request) {
      if (form !== undefined) remember(parsers, formId, makeParser(form, settings));
      const parse = parsers.get(formId);
      if (parse === undefined) throw new TypeError(`no form ${formId}`);
      return parse(bytes, request);
    },
  };
  new Answerer(portTransport(parentPort), calls, { packError, cancelled: cancelledCall });
}
