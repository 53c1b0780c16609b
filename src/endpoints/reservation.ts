/** The form in which BigQuery names a reservation. Whether there is one is for BigQuery to say. */
export const reservationPattern =
  /^projects\/[\w.:-]{1,100}\/locations\/[\w-]{1,64}\/reservations\/[\w-]{1,64}$/;
