import { styleText } from 'node:util';

/** Writes words in colour, or leaves them as they are. */
export interface Paint {
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
}

const same = (text: string) => text;

export const noPaint: Paint = { red: same, green: same, yellow: same, dim: same, bold: same };

const styled = (style: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(style, text, { validateStream: false });

export const terminalPaint: Paint = {
  red: styled('red'),
  green: styled('green'),
  yellow: styled('yellow'),
  dim: styled('dim'),
  bold: styled('bold'),
};
