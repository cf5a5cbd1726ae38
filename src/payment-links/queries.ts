import { stateMachine } from '../ledger/index.ts';
import type { Currency } from '../money/index.ts';
import type { AmountRule } from '../payment-sessions/index.ts';
import { setInsert, setQuestion, statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode, Tenant } from '../platform/tenant.ts';

/** Whether a payer is asked for something. */
export const PAYER_FIELDS = ['REQUIRED', 'OPTIONAL', 'NOT_ASKED'] as const;

export type PayerField = (typeof PAYER_FIELDS)[number];

export interface LinkRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  slug: string;
  status: 'ACTIVE' | 'INACTIVE';
  reason: string | null;
  title: string;
  description: string | null;
  /** Null: the payer names one from `min_amount_minor` to `max_amount_minor`. */
  amount_minor: bigint | null;
  min_amount_minor: bigint | null;
  max_amount_minor: bigint | null;
  currency: Currency;
  amount_rule: AmountRule;
  /** Separated by spaces. */
  channels: string;
  payer_name: PayerField;
  payer_email: PayerField;
  /** Null: any number. */
  max_payments: number | null;
  wallet_id: string;
  return_url: string | null;
  /** JSON text. */
  metadata: string | null;
  expires_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const insertPaymentLinks = setInsert<LinkRow>('payment_links', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  slug: 'text',
  status: 'text',
  reason: 'text',
  title: 'text',
  description: 'text',
  amount_minor: 'bigint',
  min_amount_minor: 'bigint',
  max_amount_minor: 'bigint',
  currency: 'text',
  amount_rule: 'text',
  channels: 'text',
  payer_name: 'text',
  payer_email: 'text',
  max_payments: 'integer',
  wallet_id: 'uuid',
  return_url: 'text',
  metadata: 'json',
  expires_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
});

interface SlugRow {
  slug: string;
  merchant_id: string;
  mode: Mode;
  link_id: string;
}

export const insertPaymentLinkSlugs = setInsert<SlugRow>('payment_link_slugs', {
  slug: 'text',
  merchant_id: 'uuid',
  mode: 'text',
  link_id: 'uuid',
});

export const findSlug = statement<SlugRow>(
  'find-payment-link-slug',
  'select * from payment_link_slugs where slug = $1',
);

export const findPaymentLink = statement<LinkRow>(
  'find-payment-link',
  'select * from payment_links where merchant_id = $1 and mode = $2 and id = $3',
);

/** How many sessions under each link were paid, counted up to $4 each. */
export const countPaidSessions = statement<{ link_id: string; paid: number }>(
  'count-paid-payment-link-sessions',
  `select wanted.link_id, counted.paid
     from unnest($3::uuid[]) as wanted (link_id)
    cross join lateral (
      select count(*)::int as paid
        from (select from payment_sessions s
               where s.merchant_id = $1 and s.mode = $2 and s.link_id = wanted.link_id and s.status = 'PAID'
               limit $4) paid
    ) counted`,
);

interface LinkKey {
  merchant_id: string;
  mode: Mode;
  link_id: string;
}

/** How many sessions were opened under a link since the first id of a moment. */
export const countLinkSessions = setQuestion<LinkKey & { since_id: string }, { place: number; sessions: number }>(
  'count-payment-link-sessions',
  { merchant_id: 'uuid', mode: 'text', link_id: 'uuid', since_id: 'uuid' },
  `select rows.place::int as place, lately.sessions
     from :rows
    cross join lateral (
      select count(*)::int as sessions from payment_sessions s
       where s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.link_id = rows.link_id
         and s.id > rows.since_id
    ) lately`,
);

/** Of links under which a session is to be opened, those that open none any more. Asked under the lock of the books. */
export const findClosedLinks = setQuestion<LinkKey, { place: number; status: 'ACTIVE' | 'INACTIVE' }>(
  'find-closed-payment-links',
  { merchant_id: 'uuid', mode: 'text', link_id: 'uuid' },
  `select rows.place::int as place, l.status
     from :rows
     join payment_links l on l.merchant_id = rows.merchant_id and l.mode = rows.mode and l.id = rows.link_id
    where l.status <> 'ACTIVE'
       or l.max_payments <= (
            select count(*)
              from (select from payment_sessions s
                     where s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.link_id = rows.link_id
                       and s.status = 'PAID'
                     limit l.max_payments) paid
          )`,
);

const NEWEST: ListOrder<LinkRow> = {
  direction: 'desc',
  keys: [{ sql: 'id', type: 'uuid', of: ({ id }) => id }],
};

/** A merchant's links, newest first: their ids sort by time. */
export function linkList({ merchantId, mode }: Tenant): List<LinkRow> {
  return {
    name: 'payment links',
    of: [merchantId, mode],
    order: NEWEST,
    columns: '*',
    from: 'payment_links',
    where: ['merchant_id = $1', 'mode = $2'],
    values: [merchantId, mode],
  };
}

/** What the merchant set. */
export const paymentLinkStates = stateMachine<'ACTIVE' | 'INACTIVE'>('payment_link', 'payment_links', {
  ACTIVE: ['INACTIVE'],
  INACTIVE: ['ACTIVE'],
});

export const LINK_STATUSES = ['ACTIVE', 'INACTIVE', 'EXPIRED', 'USED_UP'] as const;

export type LinkStatus = (typeof LINK_STATUSES)[number];

interface LinkFacts {
  status: 'ACTIVE' | 'INACTIVE';
  expires_at: Date | null;
  max_payments: number | null;
}

/** The state of a link as it is shown: what the merchant set, its time, and how many sessions under it were paid. */
export function linkStatus({ status, expires_at, max_payments }: LinkFacts, paid: number, now: Date): LinkStatus {
  if (status === 'INACTIVE') return 'INACTIVE';
  if (max_payments !== null && paid >= max_payments) return 'USED_UP';
  return expires_at !== null && expires_at <= now ? 'EXPIRED' : 'ACTIVE';
}
