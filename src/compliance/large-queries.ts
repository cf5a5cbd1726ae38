import { statement } from '../platform/db/statement.ts';
import type { List } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';

/** One dated row of `report_thresholds`: of several the one that began last counts. Minor units. */
export interface ThresholdRow {
  id: string;
  individual_minor: bigint;
  corporate_minor: bigint;
  effective_from: Date;
  source: string;
  created_at: Date;
}

export const listThresholds = statement<ThresholdRow>(
  'list-report-thresholds',
  'select * from report_thresholds order by effective_from, id',
);

/** $1 id, $2 of individuals, $3 of others, $4 from, $5 source, $6 now. */
export const insertThreshold = statement(
  'insert-report-threshold',
  `insert into report_thresholds (id, individual_minor, corporate_minor, effective_from, source, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
);

/** A transaction at or above the threshold that was in force when it happened. */
export interface LargeRow {
  at: Date;
  id: string;
  direction: 'IN' | 'OUT';
  merchant_id: string;
  mode: Mode;
  business_name: string;
  registration_number: string | null;
  business_type: string;
  amount_minor: bigint;
  threshold_minor: bigint;
  payer_name: string | null;
  payer_account_number: string | null;
  payer_bank: string | null;
  payee_name: string | null;
  payee_account_number: string | null;
  payee_bank: string | null;
  narration: string | null;
  reference: string | null;
  provider_reference: string | null;
  session_id: string | null;
  rail: string;
}

/** Who is no company: the other threshold is for everybody else. */
const THRESHOLD = `case m.business_type when 'UNREGISTERED' then r.individual_minor else r.corporate_minor end`;

const inForceAt = (at: string) => `cross join lateral (
         select individual_minor, corporate_minor from report_thresholds
          where effective_from <= ${at} order by effective_from desc, id desc limit 1) r
        join merchants m on m.id = x.merchant_id`;

/** The indexes have what is as large as this or larger, in minor units: the law's thresholds are five and ten times as high. */
const INDEXED_FROM_MINOR = 100_000_000n;

/**
 * Across merchants, in the order of time: payments in that were confirmed, and payouts that were paid, of a period. Below
 * ₦1,000,000 no index has them, and each page reads all that there ever was.
 * @param lowestMinor of all thresholds: what is below is large by none
 */
export function largeList({
  mode,
  from,
  to,
  lowestMinor,
}: {
  mode: Mode;
  from: Date;
  to: Date;
  lowestMinor: bigint;
}): List<LargeRow> {
  return {
    name: 'large transactions',
    of: [mode, from.toISOString(), to.toISOString()],
    order: {
      direction: 'asc',
      keys: [
        { sql: 'q.at', type: 'timestamptz', of: ({ at }) => at },
        { sql: 'q.id', type: 'uuid', of: ({ id }) => id },
      ],
    },
    columns: 'q.*',
    from: largeFrom(lowestMinor),
    where: ['q.amount_minor >= q.threshold_minor'],
    values: [mode, from, to, lowestMinor],
    isFleeting: true,
  };
}

function largeFrom(lowestMinor: bigint): string {
  // In the text: only so is the database sure that the index has all of them.
  const indexed = lowestMinor >= INDEXED_FROM_MINOR ? `and x.amount_minor >= ${INDEXED_FROM_MINOR}` : '';
  return `(
     select x.confirmed_at as at, x.id, 'IN' as direction, x.merchant_id, x.mode, m.business_name, m.registration_number,
            m.business_type, x.amount_minor, ${THRESHOLD} as threshold_minor, x.payer_name, x.payer_account_number,
            x.payer_bank_name as payer_bank, w.account_name as payee_name, x.account_number as payee_account_number,
            w.bank_name as payee_bank, x.narration, null as reference, x.provider_reference, x.session_id, x.rail
       from inbound_payments x
       join wallets w on w.merchant_id = x.merchant_id and w.mode = x.mode and w.id = x.wallet_id
       ${inForceAt('x.confirmed_at')}
      where x.mode = $1 and x.confirmed_at >= $2 and x.confirmed_at < $3 and x.amount_minor >= $4 ${indexed}
      union all
     select x.paid_at, x.id, 'OUT', x.merchant_id, x.mode, m.business_name, m.registration_number, m.business_type,
            x.amount_minor, ${THRESHOLD}, x.originator_account_name, x.originator_account_number, x.originator_bank_name,
            x.beneficiary_account_name, x.beneficiary_account_number, x.beneficiary_bank_name, x.narration,
            x.client_reference, p.rail_reference, p.session_id, p.rail
       from transactions x
       join payouts p on p.merchant_id = x.merchant_id and p.mode = x.mode and p.id = x.id
       ${inForceAt('x.paid_at')}
      where x.mode = $1 and x.paid_at >= $2 and x.paid_at < $3 and x.amount_minor >= $4 ${indexed}
        and x.category = 'PAYOUT' and x.status in ('SUCCESS', 'REVERSED')
   ) q`;
}
