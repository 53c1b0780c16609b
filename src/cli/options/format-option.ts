import { Option } from 'commander';
import { textFormats } from '../../rows/ingest/text/text-format.ts';

/** The option by which people name the form of a text file. */
export function formatOption(): Option {
  return new Option(
    '--format <format>',
    'form of a text file (default: its name or its content tells); clf is an access log in the Common or Combined Log Format',
  ).choices(textFormats);
}
