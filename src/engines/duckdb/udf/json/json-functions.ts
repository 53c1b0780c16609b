import { buildFunctions } from './build-functions.ts';
import { changeFunctions } from './change-functions.ts';
import { convertFunctions } from './convert-functions.ts';
import { extractFunctions, jsonElement, jsonFlatten, jsonMember } from './extract-functions.ts';

export const jsonFunctionsInJs = [
  ...extractFunctions,
  jsonMember,
  jsonElement,
  jsonFlatten,
  ...convertFunctions,
  ...buildFunctions,
  ...changeFunctions,
];
