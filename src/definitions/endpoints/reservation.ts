/** The form of a reservation's name in BigQuery. Only BigQuery knows whether it exists. */
export const reservationPattern =
  /^projects\/[\w.:-]{1,100}\/locations\/[\w-]{1,64}\/reservations\/[\w-]{1,64}$/;
