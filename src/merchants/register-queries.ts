import { statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { ServiceRow } from './queries.ts';
import type { MerchantStatus, ReviewStatus } from './services.ts';

/** A line of the operator's register. */
export interface RegisteredRow {
  id: string;
  business_name: string;
  email: string;
  phone_number: string;
  status: MerchantStatus;
  review_status: ReviewStatus;
  created_at: Date;
  /** Set while its details wait for the operator. */
  submitted_at: Date | null;
}

interface RegisterFilter {
  status?: MerchantStatus | undefined;
  review?: ReviewStatus | undefined;
  /** Only those whose details wait for the operator. */
  submitted?: boolean | undefined;
  /** Part of the name, the address or the number of registration. */
  text?: string | undefined;
  id?: string | undefined;
}

const NEWEST: ListOrder<RegisteredRow> = { direction: 'desc', keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }] };
const LONGEST_WAITING: ListOrder<RegisteredRow> = {
  direction: 'asc',
  keys: [
    { sql: 'submitted_at', type: 'timestamptz', of: ({ submitted_at }) => submitted_at },
    { sql: 'id', type: 'uuid', of: ({ id }) => id },
  ],
};

/** Newest first; among merchants that wait for the operator, the one that has waited longest. */
export function registerList(filter: RegisterFilter): List<RegisteredRow> {
  const { status, review, submitted, text, id } = filter;
  const values: unknown[] = [];
  const where = ['true'];
  // Status and review are words of ours, so they stand in the text.
  if (status !== undefined) where.push(`status = '${status}'`);
  if (review !== undefined) where.push(`review_status = '${review}'`);
  if (submitted === true) where.push('submitted_at is not null');
  if (id !== undefined) where.push(`id = $${values.push(id)}`);
  if (text !== undefined) {
    const place = `$${values.push(`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`)}`;
    where.push(`(business_name ilike ${place} or email ilike ${place} or registration_number ilike ${place})`);
  }
  return {
    name: 'merchant-register',
    of: [filter],
    order: submitted === true ? LONGEST_WAITING : NEWEST,
    columns: 'id, business_name, email, phone_number, status, review_status, created_at, submitted_at',
    from: 'merchants',
    where,
    values,
  };
}

/** Every service there is, and whether this merchant has it. */
export const listServiceStates = statement<ServiceRow & { enabled: boolean }>(
  'list-merchant-service-states',
  `select s.id, s.key, s.name, s.description, m.merchant_id is not null as enabled
     from services s
     left join merchant_services m on m.service_key = s.key and m.merchant_id = $1
    order by s.id`,
);

export const listMerchantNames = statement<{ id: string; business_name: string }>(
  'list-merchant-names',
  'select id, business_name from merchants where id = any($1::uuid[])',
);

/** A merchant in a list to choose from. */
export interface ChoiceRow {
  id: string;
  business_name: string;
  email: string;
  status: MerchantStatus;
}

const CHOICE = 'id, business_name, email, status';

/** Separates words as the index `merchants_by_name` does: at ASCII punctuation, in an address too. */
const WORDS = `to_tsvector('simple', regexp_replace(
    business_name || ' ' || email || ' ' || owner_email || ' ' || registration_number, '[!-/:-@[-\`{-~]+', ' ', 'g'))`;

/** $1 the beginnings of words, as a tsquery; $2 how many. */
export const listMerchantsByWords = statement<ChoiceRow>(
  'list-merchants-by-words',
  `select ${CHOICE} from merchants
    where ${WORDS} @@ to_tsquery('simple', $1)
    order by business_name, id limit $2`,
);

export const listMerchantsById = statement<ChoiceRow>(
  'list-merchants-by-id',
  `select ${CHOICE} from merchants where id = any($1::uuid[]) order by business_name, id`,
);

export const listNewestMerchants = statement<ChoiceRow>(
  'list-newest-merchants',
  `select ${CHOICE} from merchants order by id desc limit $1`,
);
