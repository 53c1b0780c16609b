import { useId, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { messageOf } from '../../api/failure.ts';
import { saveFile } from '../copy/save-file.ts';
import { useLoad } from '../loading/use-load.ts';
import { bytesText } from '../text/number-text.ts';
import { type Call, sendCall } from './answer.ts';
import { formulasAsText } from './formulas-as-text.ts';

interface DownloadProps {
  readonly client: Client;
  readonly call: Call;
}

/** The formats of REST, with the endings of their files. */
const formats = [
  { name: 'csv', text: 'CSV', ending: 'csv' },
  { name: 'json', text: 'JSON', ending: 'json' },
  { name: 'ndjson', text: 'NDJSON', ending: 'ndjson' },
  { name: 'parquet', text: 'Parquet', ending: 'parquet' },
  { name: 'arrow', text: 'Arrow', ending: 'arrows' },
] as const;

/** Downloads the rows of a call as a file. */
export function Download({ client, call }: DownloadProps) {
  const id = useId();
  const [name, setName] = useState<(typeof formats)[number]['name']>('csv');
  const [bytes, setBytes] = useState(0);
  const [asText, setAsText] = useState(false);
  const { load, cancel, isLoading, failure } = useLoad<void>();

  const download = () => {
    const format = formats.find((candidate) => candidate.name === name);
    setBytes(0);
    load(async (signal) => {
      const response = await sendCall(client, call, { signal, accept: '*/*', more: { format: name } });
      const blob = await readBlob(response, setBytes);
      const file =
        name === 'csv' && asText ? new Blob([formulasAsText(await blob.text())], { type: blob.type }) : blob;
      saveFile(file, `${call.endpoint.name}.${format?.ending ?? name}`);
    });
  };

  return (
    <div class="download">
      <label for={id} class="only-heard">
        Format of the download
      </label>
      <select
        id={id}
        value={name}
        onChange={({ currentTarget }) =>
          setName(formats.find((format) => format.name === currentTarget.value)?.name ?? 'csv')
        }
      >
        {formats.map((format) => (
          <option key={format.name} value={format.name}>
            {format.text}
          </option>
        ))}
      </select>
      {name === 'csv' && (
        <label
          class="download-option"
          title="Cells that begin with = + - @, a tab or a line break get an apostrophe before them. Spreadsheets then don't run them; other programs read it as a part of the text. Numbers stay as they are."
        >
          <input
            type="checkbox"
            checked={asText}
            onChange={({ currentTarget }) => setAsText(currentTarget.checked)}
          />{' '}
          Formulas as text
          {asText && <span class="quiet"> (cells that begin with = + - @ get a leading apostrophe)</span>}
        </label>
      )}
      {isLoading ? (
        <button type="button" onClick={cancel}>
          Cancel <span class="quiet">{bytesText(bytes)}</span>
        </button>
      ) : (
        <button type="button" onClick={download}>
          Download
        </button>
      )}
      {failure !== undefined && (
        <span class="mistake" role="alert">
          {messageOf(failure)}
        </span>
      )}
    </div>
  );
}

async function readBlob(response: Response, onBytes: (bytes: number) => void): Promise<Blob> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    bytes += piece.length;
    onBytes(bytes);
  }
  return new Blob(pieces, { type: response.headers.get('content-type') ?? '' });
}
