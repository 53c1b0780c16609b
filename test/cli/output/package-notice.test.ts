import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../../src/base/package-folder.ts';
import { packageNotice } from '../../../src/cli/output/package-notice.ts';

const shipped = join(packageFolder, 'schema/endpoints');

test('those who have no project here are told that the shipped endpoints are used', () => {
  expect(packageNotice({ endpointsDir: shipped }, '/somewhere')).toMatch(
    /^There is no folder endpoints here: those of the package are used .* endpoint-gateway init\n$/,
  );
  expect(packageNotice({ endpointsDir: shipped }, packageFolder)).toBeUndefined();
  expect(packageNotice({ endpointsDir: '/somewhere/endpoints' }, '/somewhere')).toBeUndefined();
});
