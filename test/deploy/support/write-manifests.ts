import { writeFile } from 'node:fs/promises';
import { plainManifests, shapes } from './plain-manifests.ts';

for (const shape of shapes) await writeFile(`deploy/kubernetes/${shape}.yaml`, await plainManifests(shape));
