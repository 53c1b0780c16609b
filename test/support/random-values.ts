import fc from 'fast-check';
import { effort } from './effort.ts';

// Tests that find new counterexamples at random would fail for changes that have nothing to do with them.
if (effort === 1) fc.configureGlobal({ seed: 1 });
