import type { ScanEmitter } from '../emitter/emitter.ts';
import { relation, singleRow } from '../emitter/relation.ts';

export const singleRowScan: ScanEmitter = () => relation(singleRow);
