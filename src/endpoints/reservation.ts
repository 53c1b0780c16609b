/** How BigQuery names a reservation: `projects/P/locations/L/reservations/R`; P may have a domain in front. */
export const reservationPattern =
  /^projects\/(?:[a-z0-9.-]{1,63}:)?[a-z][a-z0-9-]{2,62}\/locations\/[A-Za-z0-9-]{1,64}\/reservations\/[a-z](?:[a-z0-9-]{0,62}[a-z0-9])?$/;
