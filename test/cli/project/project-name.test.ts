import { expect, test } from 'vitest';
import { nameOfFolder, refusedName } from '../../../src/cli/project/package-json.ts';

test.each([
  ['/home/ada/shop', 'shop'],
  ['/home/ada/Shop Endpoints (new)', 'shop-endpoints-new'],
  ['/home/ada/.größe', 'gro-e'],
  ['/home/ada/Café Zoë', 'cafe-zoe'],
  ['/home/ada/日本', 'endpoints'],
  ['/', 'endpoints'],
  ['/home/ada/endpoint-gateway', 'endpoints'],
  ['/home/ada/node_modules', 'endpoints'],
])('the project in %s is called %s', (folder, name) => {
  expect(nameOfFolder(folder)).toBe(name);
  expect(refusedName(name)).toBeUndefined();
});

test.each([
  'Shop',
  '.shop',
  'a b',
  '',
  'endpoint-gateway',
  'node_modules',
  'a'.repeat(215),
  '@shop',
  '../shop',
])('npm could not use the name %s', (name) => expect(refusedName(name)).toBeDefined());

test.each(['shop', '@shop/endpoints', 'shop_2.endpoints'])('npm can use the name %s', (name) =>
  expect(refusedName(name)).toBeUndefined(),
);
