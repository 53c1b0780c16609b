import { handedOver } from '../../base/async/handed-over.ts';
import { redactBatch, redactRows } from '../../calls/redaction/redact-result.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { hiddenClasses } from '../../definitions/endpoints/pii-class.ts';
import type { Engine, EngineRequest, StreamEnd } from '../../engines/engine/engine.ts';
import { rowsInMemory } from '../../engines/rows/result-rows.ts';
import { csv } from '../../rows/formats/csv.ts';
import { json } from '../../rows/formats/json.ts';
import { ndjson } from '../../rows/formats/ndjson.ts';
import { plainStyle } from '../../rows/formats/render/json-style.ts';
import type { ColumnBatch } from '../../sql/columns/column-batch.ts';
import type { OutputFormat } from '../output/output-formats.ts';
import { writePieces } from '../output/write-pieces.ts';
import { type Answer, answerNotes } from './answer.ts';
import type { RunEnvironment } from './run-options.ts';
import { renderTable } from './table/render-table.ts';
import { resultTable } from './table/result-table.ts';

/** Runs a query, and prints its rows as callers of the endpoint get them: redacted, if the endpoint requires it. */
export async function printAnswer(
  engine: Engine,
  request: EngineRequest,
  endpoint: Endpoint,
  format: OutputFormat,
  stdout: RunEnvironment['stdout'],
): Promise<Answer> {
  const hidden = hiddenClasses(endpoint, false);
  if (format === 'csv' || format === 'ndjson') {
    let rows = 0;
    let end: StreamEnd | undefined;
    const { columns } = request.plan;
    const parts = handedOver<ColumnBatch, StreamEnd>(
      (take, left) => engine.stream({ ...request, signal: AbortSignal.any([request.signal, left]) }, take),
      (outcome) => {
        end = outcome;
      },
    );
    const batches = async function* () {
      for await (const batch of parts) {
        rows += batch.length;
        yield await redactBatch(batch, columns, hidden, request.signal);
      }
    };
    await writePieces((format === 'csv' ? csv : ndjson).encode(columns, batches(), plainStyle), stdout);
    return { rows, truncated: end?.truncated === true, notes: notesOf(end) };
  }
  const result = await engine.run(request);
  const { columns, truncated } = result;
  const rows = await redactRows(await result.rows.all(), columns, hidden, request.signal);
  if (format === 'json') {
    await writePieces(json.encode(columns, rowsInMemory(rows).chunks(), plainStyle), stdout);
    await writePieces(lineEnd(), stdout);
  } else await writePieces(renderTable(resultTable(columns, rows), stdout), stdout);
  return { rows: rows.length, truncated, notes: notesOf(result) };
}

async function* lineEnd(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('\n');
}

function notesOf(end: Pick<StreamEnd, 'engineMs' | 'cost'> | undefined): string[] {
  return answerNotes(end?.engineMs, end?.cost?.bytesBilled ?? end?.cost?.bytesProcessed);
}
