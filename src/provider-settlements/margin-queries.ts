import { statement } from '../platform/db/statement.ts';

/** What a day's payments of a provider account and channel cost and earned. In kobo. */
export interface MarginRow {
  /** The day on which they were settled, in Lagos. */
  day: string;
  rail: string;
  /** `ACCOUNT`: to an account number. `PAGE`: anything else. */
  channel: string;
  payments: number;
  gross_minor: bigint;
  /** What the provider said at the confirmation that it keeps, for the payments of which it said so. */
  quoted_minor: bigint;
  /** What it kept of the same payments. */
  kept_of_quoted_minor: bigint;
  /** What it kept of all. */
  kept_minor: bigint;
  /** Payments of which it kept another fee than it had said. */
  differing: number;
  /** What the operator charged, without VAT. */
  fee_minor: bigint;
}

/** $1 mode, $2 from, $3 to. After `planUnsettledReport`. */
export const listMargins = statement<MarginRow>(
  'list-margins-of-settled-payments',
  `select ((s.settled_at at time zone 'Africa/Lagos')::date)::text as day, p.rail,
          case when p.account_number ~ '^[0-9]{10}$' then 'ACCOUNT' else 'PAGE' end as channel, count(*)::int as payments,
          coalesce(sum(s.gross_minor), 0)::bigint as gross_minor,
          coalesce(sum(p.provider_fee_minor), 0)::bigint as quoted_minor,
          coalesce(sum(s.fee_minor) filter (where p.provider_fee_minor is not null), 0)::bigint as kept_of_quoted_minor,
          coalesce(sum(s.fee_minor), 0)::bigint as kept_minor,
          (count(*) filter (where p.provider_fee_minor <> s.fee_minor))::int as differing,
          coalesce(sum(p.fee_minor), 0)::bigint as fee_minor
     from collection_settlements s
     join inbound_payments p on p.merchant_id = s.merchant_id and p.mode = s.mode and p.id = s.payment_id
    where s.mode = $1 and s.settled_at >= $2 and s.settled_at < $3
    group by 1, 2, 3
    order by 1, 2, 3`,
);
