/** The largest bodies that are read, in bytes. Source: contract section (j). */
export const bodyLimits = {
  json: 12_000_000,
  jsonOfGet: 8_000_000,
  multipart: 8_000_000,
  form: 1_000_000,
};

/** The longest request target that is answered; longer parameters go into a body. */
export const maxTargetLength = 16_384;

/** Fields of a form: taking a hundred thousand apart keeps everybody else waiting for seconds. */
export const maxFormFields = 1_000;
