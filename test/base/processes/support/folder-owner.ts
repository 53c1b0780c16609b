/** A process that makes a private folder, says which, and stays. */
import { makePrivateFolder } from '../../../../src/base/processes/private-folder.ts';

console.log(await makePrivateFolder('test'));
setInterval(() => {}, 1000);
