import { moving } from '../../../base/channel/port-transport.ts';
import { type ChunkForm, ChunkParser } from '../parse/chunk-parser.ts';
import { answerParses } from './answer-parses.ts';
import type { ReturnedChunk } from './parse-calls.ts';

// A thread that parses chunks of lines.
answerParses<ChunkForm, undefined, ReturnedChunk>((form) => {
  const parser = new ChunkParser(form);
  return (bytes) => {
    parser.add(bytes);
    const chunk = parser.take();
    return moving({ chunk, bytes }, [bytes.buffer, chunk.blanks.buffer]);
  };
});
