import { createHash } from 'node:crypto';
import { JsFunction } from '../js/js-function.ts';
import { bytes } from '../js/js-type.ts';

export const sha512 = new JsFunction('sha512', [bytes], bytes, (value) =>
  createHash('sha512').update(value).digest(),
);
