import type { NonEmpty } from '../../made-up-rows/making/random.ts';
import { type Visitor, visitorsOf } from './visitors.ts';

/** A table of a project, with a column to filter by and a unique column. */
export interface Table {
  readonly name: string;
  readonly filter: string;
  readonly unique: string;
}

/** A made-up project. */
export interface Project {
  /** Twenty lower-case letters. */
  readonly ref: string;
  /** Its fraction of all requests. The fractions of all projects add up to 1. */
  readonly share: number;
  /** Its busiest hour, in UTC, from 0 to 24. */
  readonly peakHour: number;
  /** The region of its functions. */
  readonly region: string;
  readonly tables: NonEmpty<Table>;
  readonly procedures: NonEmpty<string>;
  readonly buckets: NonEmpty<string>;
  readonly channels: NonEmpty<string>;
  readonly functions: NonEmpty<string>;
  readonly visitors: NonEmpty<Visitor>;
}

function table(name: string, filter: string, unique: string): Table {
  return { name, filter, unique };
}

/** A shop, a chat, a courier, a school and a blog, from busy to nearly idle, in different time zones. */
export const projects: NonEmpty<Project> = [
  {
    ref: 'fjrqomtzlwkgbxhvnuea',
    share: 0.46,
    peakHour: 18,
    region: 'eu-central-1',
    tables: [
      table('orders', 'status', 'number'),
      table('products', 'category', 'sku'),
      table('carts', 'owner', 'id'),
    ],
    procedures: ['best_sellers', 'apply_voucher'],
    buckets: ['product-images', 'invoices'],
    channels: ['realtime:public:orders', 'realtime:stock'],
    functions: ['create-checkout', 'resize-image', 'order-mail'],
    visitors: visitorsOf('fjrqomtzlwkgbxhvnuea', 180),
  },
  {
    ref: 'cyhdnvxapkwejtsqgilo',
    share: 0.27,
    peakHour: 2,
    region: 'us-east-1',
    tables: [
      table('messages', 'room_id', 'id'),
      table('rooms', 'kind', 'slug'),
      table('profiles', 'team', 'handle'),
    ],
    procedures: ['unread_counts', 'search_messages'],
    buckets: ['avatars', 'attachments'],
    channels: ['realtime:room:lobby', 'realtime:room:support', 'realtime:presence'],
    functions: ['push-notify', 'link-preview'],
    visitors: visitorsOf('cyhdnvxapkwejtsqgilo', 120),
  },
  {
    ref: 'uvzmbgtriqxolfkwydjn',
    share: 0.16,
    peakHour: 7,
    region: 'ap-south-1',
    tables: [table('parcels', 'depot', 'barcode'), table('couriers', 'shift', 'badge')],
    procedures: ['nearest_depot'],
    buckets: ['delivery-photos'],
    channels: ['realtime:parcels', 'realtime:couriers'],
    functions: ['plan-route', 'scan-label'],
    visitors: visitorsOf('uvzmbgtriqxolfkwydjn', 70),
  },
  {
    ref: 'pelkrscwqhznaxvtjbmi',
    share: 0.08,
    peakHour: 11,
    region: 'eu-west-2',
    tables: [table('lessons', 'subject', 'slug'), table('submissions', 'lesson_id', 'id')],
    procedures: ['grade_overview'],
    buckets: ['worksheets'],
    channels: ['realtime:classroom'],
    functions: ['grade-quiz'],
    visitors: visitorsOf('pelkrscwqhznaxvtjbmi', 40),
  },
  {
    ref: 'ogtxjwnfyrbudqkmzhsv',
    share: 0.03,
    peakHour: 21,
    region: 'us-west-1',
    tables: [table('posts', 'tag', 'slug'), table('comments', 'post_id', 'id')],
    procedures: ['popular_posts'],
    buckets: ['media'],
    channels: ['realtime:comments'],
    functions: ['send-digest'],
    visitors: visitorsOf('ogtxjwnfyrbudqkmzhsv', 20),
  },
];
