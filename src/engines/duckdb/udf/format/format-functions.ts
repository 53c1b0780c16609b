import { formatText } from './format.ts';
import { castNumberToText } from './number-model-writer.ts';
import { escapedBytesText, quotedBytes, quotedText } from './quoted-literal.ts';

export const formatFunctionsInJs = [formatText, castNumberToText, quotedText, escapedBytesText, quotedBytes];
