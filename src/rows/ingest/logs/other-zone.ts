/** Abbreviations of zones other than UTC. Some are those of several zones: CST is one of America, China and Cuba. */
const abbreviations =
  'A[CEKW]?[SD]T AET AMT ART AST AWST AZT B[DNRS]T CAT CES?T C[DS]T CLS?T COT E[DES]T EAT EEST GST HKT H[AD]?[DS]T HST ICT I[DR]?ST IDT JST KST M[DS]T MES?[TZ] MSK MSD MYT N[DS]T NPT NZ[DS]?T P[DS]T PET PHT PKT PYT SAST SGT TRT UYT VET WAT WES?T WI[BT] WITA'
    .split(' ')
    .join('|');

/**
 * A regular expression after a time: the name of a zone other than UTC, with or without parentheses, or an offset that is written
 * as `UTC+2`. Such a time is not read, since its hour isn't known.
 */
export const otherZone = String.raw`(?: ?\(?(?:(?:${abbreviations})(?![\w:=/])|(?:UTC|GMT)[+-]\d|[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+(?![\w/])))`;
