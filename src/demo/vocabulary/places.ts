import type { Weighted } from '../dice.ts';

/** Where a visitor is, as the edge network sees it, and the data centre that answers them. */
export interface Place {
  readonly colo: string;
  readonly city: string;
  readonly region: string;
  readonly regionCode: string;
  readonly country: string;
  readonly continent: string;
  readonly latitude: string;
  readonly longitude: string;
  readonly timezone: string;
  readonly asn: number;
  readonly asOrganization: string;
}

type Facts = [
  colo: string,
  city: string,
  region: string,
  regionCode: string,
  country: string,
  continent: string,
  latitude: string,
  longitude: string,
  timezone: string,
];

/** Numbers that are set aside for examples (RFC 5398), with carriers to go with them. */
const carriers = [
  [64_496, 'Northlight Broadband'],
  [64_499, 'Harbour Mobile'],
  [64_503, 'Cumulus Hosting'],
  [64_508, 'Meridian Telecom'],
] as const;

function place(carrier: 0 | 1 | 2 | 3, ...facts: Facts): Place {
  const [asn, asOrganization] = carriers[carrier];
  const [colo, city, region, regionCode, country, continent, latitude, longitude, timezone] = facts;
  return {
    ...{ colo, city, region, regionCode, country, continent, latitude, longitude, timezone },
    ...{ asn, asOrganization },
  };
}

export const places: readonly [Weighted<Place>, ...Weighted<Place>[]] = [
  [9, place(0, 'FRA', 'Frankfurt', 'Hesse', 'HE', 'DE', 'EU', '50.11552', '8.68417', 'Europe/Berlin')],
  [
    6,
    place(1, 'CDG', 'Lyon', 'Auvergne-Rhône-Alpes', 'ARA', 'FR', 'EU', '45.74846', '4.84671', 'Europe/Paris'),
  ],
  [6, place(3, 'LHR', 'Leeds', 'England', 'ENG', 'GB', 'EU', '53.79648', '-1.54785', 'Europe/London')],
  [9, place(0, 'ORD', 'Chicago', 'Illinois', 'IL', 'US', 'NA', '41.85003', '-87.65005', 'America/Chicago')],
  [5, place(2, 'IAD', 'Ashburn', 'Virginia', 'VA', 'US', 'NA', '39.04372', '-77.48749', 'America/New_York')],
  [
    4,
    place(1, 'GRU', 'Campinas', 'São Paulo', 'SP', 'BR', 'SA', '-22.90556', '-47.06083', 'America/Sao_Paulo'),
  ],
  [5, place(1, 'BOM', 'Pune', 'Maharashtra', 'MH', 'IN', 'AS', '18.51957', '73.85535', 'Asia/Kolkata')],
  [4, place(3, 'NRT', 'Yokohama', 'Kanagawa', '14', 'JP', 'AS', '35.43333', '139.65', 'Asia/Tokyo')],
  [
    3,
    place(
      0,
      'SYD',
      'Newcastle',
      'New South Wales',
      'NSW',
      'AU',
      'OC',
      '-32.92953',
      '151.7801',
      'Australia/Sydney',
    ),
  ],
  [
    2,
    place(
      3,
      'JNB',
      'Durban',
      'KwaZulu-Natal',
      'KZN',
      'ZA',
      'AF',
      '-29.8579',
      '31.0292',
      'Africa/Johannesburg',
    ),
  ],
];
