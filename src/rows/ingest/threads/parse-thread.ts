import { moving } from '../../../base/channel/port-transport.ts';
import { type ChunkForm, ChunkParser } from '../parse/chunk-parser.ts';
import { answerParses } from './answer-parses.ts';
import type { ReturnedChunk } from './parse-calls.ts';

// A thread that parses chunks of lines.
answerParses<ChunkForm, number, ReturnedChunk>((form) => {
  const parser = new ChunkParser(form);
  return (bytes, first) => {
    parser.begin(first);
    parser.add(bytes);
    const chunk = parser.take();
    return moving({ chunk, bytes }, [bytes.buffer, chunk.blanks.buffer]);
  };
});
