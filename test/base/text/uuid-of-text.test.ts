import { expect, test } from 'vitest';
import { uuidOfText } from '../../../src/base/text/uuid-of-text.ts';
import { endpointSettings } from '../../../src/definitions/endpoints/settings.ts';

test('a text has an id of its own, which endpoints can have', () => {
  expect(uuidOfText('a')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(uuidOfText('a')).toBe(uuidOfText('a'));
  expect(uuidOfText('a')).not.toBe(uuidOfText('b'));
  expect(endpointSettings.shape.id.parse(uuidOfText('a'))).toBe(uuidOfText('a'));
});
