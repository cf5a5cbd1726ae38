import { type Asked, composed, statement } from '../../platform/db/statement.ts';
import type { MerchantStatus, ReviewStatus } from '../merchant-state.ts';
import type { ServiceRow } from '../queries.ts';

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

export interface RegisterFilter {
  status?: MerchantStatus | undefined;
  review?: ReviewStatus | undefined;
  /** Only those whose details wait for the operator. */
  submitted?: boolean | undefined;
  /** Part of the name, the address or the number of registration. */
  text?: string | undefined;
  id?: string | undefined;
}

/** Only the conditions that are asked for. Status and review are words of ours, so they stand in the text. */
function whereOf({ status, review, submitted, text, id }: RegisterFilter): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const parts = ['true'];
  if (status !== undefined) parts.push(`status = '${status}'`);
  if (review !== undefined) parts.push(`review_status = '${review}'`);
  if (submitted === true) parts.push('submitted_at is not null');
  if (id !== undefined) parts.push(`id = $${values.push(id)}`);
  if (text !== undefined) {
    const place = `$${values.push(`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`)}`;
    parts.push(`(business_name ilike ${place} or email ilike ${place} or registration_number ilike ${place})`);
  }
  return { where: parts.join(' and '), values };
}

/** Newest first; of those that wait for the operator, whoever waits longest. */
export function listRegister(filter: RegisterFilter, offset: number, limit: number): Asked<RegisteredRow> {
  const { where, values } = whereOf(filter);
  const order = filter.submitted === true ? 'submitted_at, id' : 'id desc';
  const text = `select id, business_name, email, phone_number, status, review_status, created_at, submitted_at
     from merchants where ${where} order by ${order} offset $${values.length + 1} limit $${values.length + 2}`;
  return composed('list-merchant-register', text, [...values, offset, limit]);
}

export function countRegister(filter: RegisterFilter): Asked<{ total: number }> {
  const { where, values } = whereOf(filter);
  const text = `select count(*)::int as total from merchants where ${where}`;
  return composed('count-merchant-register', text, values);
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
