import type { ScanEmitter } from '../emitter.ts';
import { relation, singleRow } from '../relation.ts';

export const singleRowScan: ScanEmitter = () => relation(singleRow);
