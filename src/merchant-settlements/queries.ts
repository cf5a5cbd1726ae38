import { stateMachine } from '../ledger/index.ts';
import { setInsert, setQuestion, setStatement, statement } from '../platform/db/statement.ts';
import { queue } from '../platform/jobs/queries.ts';
import type { Mode } from '../platform/tenant.ts';

export type SettlementStatus = 'PROCESSING' | 'PAID' | 'FAILED';
export const SETTLEMENT_STATUSES = ['PROCESSING', 'PAID', 'FAILED'] as const satisfies SettlementStatus[];
export type SettlementTrigger = 'DAILY' | 'INSTANT' | 'BY_HAND';
export const SETTLEMENT_TRIGGERS = ['DAILY', 'INSTANT', 'BY_HAND'] as const satisfies SettlementTrigger[];

/** A settlement is paid or has failed as its payout has; a failed one may be tried again, a paid one may come back. */
export const settlementStates = stateMachine<SettlementStatus>('merchant_settlement', 'merchant_settlements', {
  PROCESSING: ['PAID', 'FAILED'],
  PAID: ['FAILED'],
  FAILED: ['PROCESSING'],
});

export interface SettlementRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  number: number;
  trigger: SettlementTrigger;
  status: SettlementStatus;
  reason: string | null;
  wallet_id: string;
  /** `2026-11-26`, in Lagos. */
  business_day: string;
  cut_off: Date;
  after_sequence: bigint;
  upto_sequence: bigint;
  opening_minor: bigint;
  closing_minor: bigint;
  /** JSON text, see `sumsText`. */
  sums: string;
  net_minor: bigint;
  carried_in_minor: bigint;
  amount_minor: bigint;
  carried_out_minor: bigint;
  bank_code: string;
  bank_name: string;
  account_number: string;
  account_name: string;
  payout_id: string;
  attempts: number;
  made_by: string;
  due_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The columns of a settlement, the day as text. */
export const SETTLEMENT = (s: string): string =>
  `${s}.merchant_id, ${s}.mode, ${s}.id, ${s}.number, ${s}.trigger, ${s}.status, ${s}.reason, ${s}.wallet_id,
   ${s}.business_day::text as business_day, ${s}.cut_off, ${s}.after_sequence, ${s}.upto_sequence, ${s}.opening_minor,
   ${s}.closing_minor, ${s}.sums, ${s}.net_minor, ${s}.carried_in_minor, ${s}.amount_minor, ${s}.carried_out_minor, ${s}.bank_code,
   ${s}.bank_name, ${s}.account_number, ${s}.account_name, ${s}.payout_id, ${s}.attempts, ${s}.made_by, ${s}.due_at,
   ${s}.created_at, ${s}.updated_at`;

export const insertSettlements = setInsert<SettlementRow>('merchant_settlements', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  number: 'integer',
  trigger: 'text',
  status: 'text',
  reason: 'text',
  wallet_id: 'uuid',
  business_day: 'date',
  cut_off: 'timestamptz',
  after_sequence: 'bigint',
  upto_sequence: 'bigint',
  opening_minor: 'bigint',
  closing_minor: 'bigint',
  sums: 'json',
  net_minor: 'bigint',
  carried_in_minor: 'bigint',
  amount_minor: 'bigint',
  carried_out_minor: 'bigint',
  bank_code: 'text',
  bank_name: 'text',
  account_number: 'text',
  account_name: 'text',
  payout_id: 'uuid',
  attempts: 'integer',
  made_by: 'text',
  due_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
});

export interface SettlementPayoutRow {
  merchant_id: string;
  mode: Mode;
  payout_id: string;
  settlement_id: string;
  attempt: number;
  created_at: Date;
}

export const insertSettlementPayouts = setInsert<SettlementPayoutRow>('merchant_settlement_payouts', {
  merchant_id: 'uuid',
  mode: 'text',
  payout_id: 'uuid',
  settlement_id: 'uuid',
  attempt: 'integer',
  created_at: 'timestamptz',
});

/** Another payout for a settlement that failed. The account is the present one. */
export const updateSettlementsTried = setStatement<
  Pick<
    SettlementRow,
    | 'merchant_id'
    | 'mode'
    | 'id'
    | 'payout_id'
    | 'attempts'
    | 'bank_code'
    | 'bank_name'
    | 'account_number'
    | 'account_name'
  >
>(
  'update-merchant-settlements-tried',
  {
    merchant_id: 'uuid',
    mode: 'text',
    id: 'uuid',
    payout_id: 'uuid',
    attempts: 'integer',
    bank_code: 'text',
    bank_name: 'text',
    account_number: 'text',
    account_name: 'text',
  },
  `update merchant_settlements s
      set payout_id = rows.payout_id, attempts = rows.attempts, bank_code = rows.bank_code, bank_name = rows.bank_name,
          account_number = rows.account_number, account_name = rows.account_name, due_at = null
     from :rows
    where s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.id = rows.id`,
);

type Leased = Pick<SettlementRow, 'merchant_id' | 'mode' | 'id' | 'payout_id'> & { leased_until: Date | null };
const LEASED = {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'uuid',
  payout_id: 'uuid',
  leased_until: 'timestamptz',
} as const;
/**
 * The settlement still has this payout and this lease: a payout that ended meanwhile, or came back, has made it due
 * again.
 */
const STILL_LEASED = `s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.id = rows.id
      and s.payout_id = rows.payout_id and s.due_at is not distinct from rows.leased_until`;

/** Nothing is to be done until its payout ends or comes back. */
export const updateSettlementsLookedAt = setStatement<Leased>(
  'update-merchant-settlements-looked-at',
  LEASED,
  `update merchant_settlements s
      set due_at = null
     from :rows
    where ${STILL_LEASED}`,
);

export const updateSettlementsLater = setStatement<Leased & { due_at: Date }>(
  'update-merchant-settlements-later',
  { ...LEASED, due_at: 'timestamptz' },
  `update merchant_settlements s
      set due_at = rows.due_at
     from :rows
    where ${STILL_LEASED}`,
);

/** When a settlement that failed gets another payout. None of its payouts is under way that could end meanwhile. */
export const updateSettlementsDue = setStatement<Pick<SettlementRow, 'merchant_id' | 'mode' | 'id' | 'due_at'>>(
  'update-merchant-settlements-due',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', due_at: 'timestamptz' },
  `update merchant_settlements s
      set due_at = rows.due_at
     from :rows
    where s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.id = rows.id`,
);

/** Of these settlements, those that have another payout by now. */
export const findSettlementsPaidAnew = setQuestion<
  Pick<SettlementRow, 'merchant_id' | 'mode' | 'id' | 'payout_id'>,
  { place: number }
>(
  'find-merchant-settlements-paid-anew',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', payout_id: 'uuid' },
  `select rows.place::int as place
     from :rows
     left join merchant_settlements s
       on s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.id = rows.id
    where s.payout_id is distinct from rows.payout_id`,
);

/** Of these settlements, those with any payout that is before the operator. */
export const findUncertainSettlements = setQuestion<
  Pick<SettlementRow, 'merchant_id' | 'mode' | 'id'>,
  { place: number }
>(
  'find-uncertain-merchant-settlements',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid' },
  `select distinct rows.place::int as place
     from :rows
     join merchant_settlement_payouts s
       on s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.settlement_id = rows.id
     left join payouts p on p.merchant_id = s.merchant_id and p.mode = s.mode and p.id = s.payout_id
    where coalesce(p.operator_reason, '') <> ''`,
);

/** A payout of it ended: a worker looks at the settlement. */
export const updateSettlementsEnded = setStatement<{
  merchant_id: string;
  mode: Mode;
  payout_id: string;
  due_at: Date;
}>(
  'update-merchant-settlements-ended',
  { merchant_id: 'uuid', mode: 'text', payout_id: 'uuid', due_at: 'timestamptz' },
  `update merchant_settlements s
      set due_at = rows.due_at
     from :rows
    where s.merchant_id = rows.merchant_id and s.mode = rows.mode and s.payout_id = rows.payout_id`,
);

export const findSettlement = statement<SettlementRow>(
  'find-merchant-settlement',
  `select ${SETTLEMENT('s')} from merchant_settlements s where s.merchant_id = $1 and s.mode = $2 and s.id = $3`,
);

export const findLastSettlement = statement<SettlementRow>(
  'find-last-merchant-settlement',
  `select ${SETTLEMENT('s')} from merchant_settlements s
    where s.merchant_id = $1 and s.mode = $2 order by s.number desc limit 1`,
);

export const findLastSettlementOfWallet = statement<SettlementRow>(
  'find-last-merchant-settlement-of-wallet',
  `select ${SETTLEMENT('s')} from merchant_settlements s
    where s.merchant_id = $1 and s.mode = $2 and s.wallet_id = $3 order by s.number desc limit 1`,
);

/** $1 mode, $2 now, $3 ids to leave out, $4 how many. */
export const listDueSettlements = statement<SettlementRow>(
  'list-due-merchant-settlements',
  `select ${SETTLEMENT('s')} from merchant_settlements s
    where s.mode = $1 and s.due_at <= $2 and not s.id = any ($3::uuid[])
    order by s.due_at limit $4`,
);

export const DUE_SETTLEMENTS = queue(listDueSettlements, 'merchant_settlements', 'due_at <= $1');

/** Leases a settlement until $5; no row where another worker has it. $4 is when it was due. */
export const leaseSettlement = statement<{ id: string }>(
  'lease-merchant-settlement',
  `update merchant_settlements set due_at = $5
    where merchant_id = $1 and mode = $2 and id = $3 and due_at = $4 returning id`,
);

/** Of these payouts, those that the service made, with their purposes. */
export const listServicePurposes = statement<{ id: string; purpose: string }>(
  'list-service-purposes-of-payouts',
  `select id, purpose from payouts
    where merchant_id = $1 and mode = $2 and id = any ($3::uuid[]) and purpose in ('SETTLEMENT', 'REFUND')`,
);
