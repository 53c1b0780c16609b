import type { NonEmpty, Weighted } from '../../made-up-rows/making/random.ts';

/** A visitor's location as the edge network sees it, and the data centre that serves them. */
export interface Place {
  readonly colo: string;
  readonly city: string;
  readonly region: string;
  readonly country: string;
  readonly continent: string;
  readonly timezone: string;
  readonly asn: number;
  readonly asOrganization: string;
}

/** Invented carriers, with numbers reserved for documentation (RFC 5398). */
const northlight = { asn: 64_496, asOrganization: 'Northlight Broadband' };
const harbour = { asn: 64_499, asOrganization: 'Harbour Mobile' };
const cumulus = { asn: 64_503, asOrganization: 'Cumulus Hosting' };

const frankfurt: Place = {
  ...northlight,
  colo: 'FRA',
  city: 'Frankfurt',
  region: 'Hesse',
  country: 'DE',
  continent: 'EU',
  timezone: 'Europe/Berlin',
};

const lyon: Place = {
  ...harbour,
  colo: 'CDG',
  city: 'Lyon',
  region: 'Auvergne-Rhône-Alpes',
  country: 'FR',
  continent: 'EU',
  timezone: 'Europe/Paris',
};

const leeds: Place = {
  ...northlight,
  colo: 'LHR',
  city: 'Leeds',
  region: 'England',
  country: 'GB',
  continent: 'EU',
  timezone: 'Europe/London',
};

const ashburn: Place = {
  ...cumulus,
  colo: 'IAD',
  city: 'Ashburn',
  region: 'Virginia',
  country: 'US',
  continent: 'NA',
  timezone: 'America/New_York',
};

const chicago: Place = {
  ...northlight,
  colo: 'ORD',
  city: 'Chicago',
  region: 'Illinois',
  country: 'US',
  continent: 'NA',
  timezone: 'America/Chicago',
};

const campinas: Place = {
  ...harbour,
  colo: 'GRU',
  city: 'Campinas',
  region: 'São Paulo',
  country: 'BR',
  continent: 'SA',
  timezone: 'America/Sao_Paulo',
};

const pune: Place = {
  ...harbour,
  colo: 'BOM',
  city: 'Pune',
  region: 'Maharashtra',
  country: 'IN',
  continent: 'AS',
  timezone: 'Asia/Kolkata',
};

const yokohama: Place = {
  ...northlight,
  colo: 'NRT',
  city: 'Yokohama',
  region: 'Kanagawa',
  country: 'JP',
  continent: 'AS',
  timezone: 'Asia/Tokyo',
};

export const places: NonEmpty<Weighted<Place>> = [
  [9, frankfurt],
  [6, lyon],
  [6, leeds],
  [5, ashburn],
  [9, chicago],
  [4, campinas],
  [5, pune],
  [4, yokohama],
];
