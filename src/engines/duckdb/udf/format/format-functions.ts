import { formatText } from './format.ts';
import { escapedBytesText, quotedBytes, quotedText } from './quoted-literal.ts';

export const formatFunctionsInJs = [formatText, quotedText, escapedBytesText, quotedBytes];
