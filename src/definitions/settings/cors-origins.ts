import { z } from 'zod';

/** A scheme and a host, with a port or without. Apps have schemes of their own, such as `capacitor://localhost`. */
const form = /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\*]+$/i;
const expected = 'expected * or origins such as https://app.example.com, without a path, separated by commas';

/** `*`, or origins as browsers send them in `Origin`. */
export const corsOrigins = z
  .string()
  .default('*')
  .transform((text, context): readonly string[] => {
    if (text.trim() === '*') return ['*'];
    const items = text.split(',').map((item) => item.trim());
    const origins = items.map(originOf).filter((origin) => origin !== undefined);
    if (origins.length === items.length) return origins;
    const wrong = items.find((item) => originOf(item) === undefined);
    context.addIssue({ code: 'custom', message: `${expected}, got ${JSON.stringify(wrong)}` });
    return z.NEVER;
  });

/** The origin as browsers write it: in lower case, without the default port. Undefined if it isn't one. */
function originOf(item: string): string | undefined {
  const origin = form.test(item) ? URL.parse(item)?.origin : undefined;
  return origin === 'null' ? item.toLowerCase() : origin;
}
