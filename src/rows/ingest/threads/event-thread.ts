import type { Source } from '../../../definitions/sources/source.ts';
import type { EventRequest } from '../events/event-request.ts';
import { EventParser } from '../events/parse-events.ts';
import type { ParsedEvents } from '../events/parsed-events.ts';
import { answerParses } from './answer-parses.ts';

// A thread that parses bodies of events.
answerParses<readonly Source[], EventRequest, ParsedEvents>((sources, { limits }) => {
  const parser = new EventParser(sources, limits);
  return (bytes, request) => parser.parse(bytes, request);
});
