/** The largest accepted bodies, in bytes. */
export const bodyLimits = {
  json: 12_000_000,
  jsonOfGet: 8_000_000,
  multipart: 8_000_000,
  form: 1_000_000,
};

/** The longest accepted request target. Longer parameters must be sent in a body. */
export const maxTargetLength = 16_384;

/** Fields of a form: parsing a hundred thousand would block the event loop for seconds. */
export const maxFormFields = 1_000;
