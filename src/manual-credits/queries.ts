import { stateMachine } from '../ledger/index.ts';
import type { Currency } from '../money/index.ts';
import { setStatement, statement } from '../platform/db/statement.ts';
import type { List, ListOrder } from '../platform/lists/list.ts';
import type { Mode } from '../platform/tenant.ts';
import { SHOWN_NUMBER } from '../wallets/index.ts';

type ManualCreditStatus = 'PENDING' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN';

/** A manual credit is decided once: approved or rejected by another person, or withdrawn by its maker. */
export const manualCreditStates = stateMachine<ManualCreditStatus>('manual_credit', 'manual_credits', {
  PENDING: ['APPROVED', 'REJECTED', 'WITHDRAWN'],
  APPROVED: [],
  REJECTED: [],
  WITHDRAWN: [],
});

/** A manual credit without the content of its document. */
export interface ManualCreditRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  transaction_id: string;
  wallet_id: string;
  amount_minor: bigint;
  currency: Currency;
  bank_code: string;
  bank_name: string;
  bank_reference: string;
  reference_key: string;
  /** A day in Lagos, `2026-11-20`. */
  received_on: string;
  payer_name: string;
  note: string;
  document_name: string;
  document_type: string;
  document_bytes: number;
  document_hash: string;
  document_digest: string;
  digest: string;
  status: ManualCreditStatus;
  reason: string | null;
  proposed_by: string;
  proposed_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
  updated_at: Date;
}

/**
 * The fingerprint of a row `c` that a second person confirms: a SHA-256 in hex. It includes the document's own digest.
 */
export const CREDIT_FINGERPRINT = `encode(sha256(convert_to(json_build_array(c.merchant_id, c.mode, c.id, c.transaction_id,
  c.wallet_id, c.amount_minor, c.currency, c.bank_code, c.bank_name, c.bank_reference, c.reference_key, c.received_on,
  c.payer_name, c.note, c.document_name, c.document_type, c.document_bytes, c.document_hash, c.document_digest,
  c.proposed_by, extract(epoch from c.proposed_at))::text, 'UTF8')), 'hex')`;

/** Whether the sealed bytes of a row `c` are those that were uploaded. */
export const DOCUMENT_IS_WHOLE = `encode(sha256(c.document_sealed), 'hex') = c.document_digest`;

/** A credit with its present digests, which equal the stored ones unless it was altered. */
export interface ManualCreditRead extends ManualCreditRow {
  digest_now: string;
  is_document_whole: boolean;
  /** Its bank reference leads to it, and to nothing else. */
  has_reference: boolean;
  wallet_account_number: string;
  wallet_account_name: string;
}

const COLUMNS = `c.merchant_id, c.mode, c.id, c.transaction_id, c.wallet_id, c.amount_minor, c.currency, c.bank_code,
  c.bank_name, c.bank_reference, c.reference_key, c.received_on, c.payer_name, c.note, c.document_name, c.document_type,
  c.document_bytes, c.document_hash, c.document_digest, c.digest, c.status, c.reason, c.proposed_by, c.proposed_at,
  c.decided_by, c.decided_at, c.updated_at`;

/**
 * Inserts the reference of a credit, in one transaction with the credit: where another credit has the reference,
 * neither is inserted. $1 mode, $2 bank, $3 reference key, $4 merchant, $5 credit.
 */
export const insertManualCreditReference = statement(
  'insert-manual-credit-reference',
  `insert into manual_credit_references (mode, bank_code, reference_key, merchant_id, manual_credit_id)
   values ($1, $2, $3, $4, $5)`,
);

/**
 * $1 merchant, $2 mode, $3 id, $4 transaction, $5 wallet, $6 minor units, $7 currency, $8 and $9 bank, $10 reference,
 * $11 its key, $12 day, $13 payer, $14 note, $15 name, $16 type, $17 bytes and $18 hash of the document, $19 its sealed
 * bytes, $20 who proposes, $21 now.
 */
export const insertManualCredit = statement<Pick<ManualCreditRow, 'digest'>>(
  'insert-manual-credit',
  `insert into manual_credits (merchant_id, mode, id, transaction_id, wallet_id, amount_minor, currency, bank_code,
          bank_name, bank_reference, reference_key, received_on, payer_name, note, document_name, document_type,
          document_bytes, document_hash, document_sealed, proposed_by, proposed_at, document_digest, status, updated_at,
          digest)
   select c.*, 'PENDING', c.proposed_at, ${CREDIT_FINGERPRINT}
     from (select $1::uuid, $2::text, $3::uuid, $4::uuid, $5::uuid, $6::bigint, $7::text, $8::text, $9::text, $10::text,
                  $11::text, $12::date, $13::text, $14::text, $15::text, $16::text, $17::integer, $18::text, $19::bytea,
                  $20::uuid, $21::timestamptz, encode(sha256($19::bytea), 'hex')) c (merchant_id, mode, id, transaction_id, wallet_id, amount_minor, currency, bank_code, bank_name,
                            bank_reference, reference_key, received_on, payer_name, note, document_name, document_type,
                            document_bytes, document_hash, document_sealed, proposed_by, proposed_at, document_digest)
   returning digest`,
);

export const findManualCredit = statement<ManualCreditRead>(
  'find-manual-credit',
  `select ${COLUMNS}, ${CREDIT_FINGERPRINT} as digest_now, ${DOCUMENT_IS_WHOLE} as is_document_whole,
          exists (select from manual_credit_references r
                   where r.mode = c.mode and r.bank_code = c.bank_code and r.reference_key = c.reference_key
                     and r.merchant_id = c.merchant_id and r.manual_credit_id = c.id) as has_reference,
          ${SHOWN_NUMBER} as wallet_account_number, w.account_name as wallet_account_name
     from manual_credits c
     join wallets w on w.merchant_id = c.merchant_id and w.mode = c.mode and w.id = c.wallet_id
    where c.merchant_id = $1 and c.mode = $2 and c.id = $3`,
);

export const findManualCreditDocument = statement<
  Pick<ManualCreditRow, 'document_name' | 'document_type'> & { document_sealed: Buffer }
>(
  'find-manual-credit-document',
  `select document_name, document_type, document_sealed from manual_credits
    where merchant_id = $1 and mode = $2 and id = $3`,
);

/**
 * A rejection or a withdrawal: only while it is open, so that of two decisions the second finds no row. Its reference
 * is free again in the same statement. $4 status, $5 reason, $6 who, $7 now.
 */
export const updateManualCreditClosed = statement<{ id: string }>(
  'update-manual-credit-closed',
  `with closed as (
     update manual_credits c
        set status = $4, reason = $5, decided_by = $6, decided_at = $7, updated_at = $7
      where c.merchant_id = $1 and c.mode = $2 and c.id = $3 and c.status = 'PENDING'
      returning c.mode, c.bank_code, c.reference_key, c.merchant_id, c.id
   ), freed as (
     delete from manual_credit_references r
      using closed
      where r.mode = closed.mode and r.bank_code = closed.bank_code and r.reference_key = closed.reference_key
        and r.merchant_id = closed.merchant_id and r.manual_credit_id = closed.id
   )
   select id from closed`,
);

/** Who approved; the movement's transition changes the state. */
export const updateManualCreditsApproved = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  decided_by: string;
  decided_at: Date;
}>(
  'update-manual-credits-approved',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', decided_by: 'uuid', decided_at: 'timestamptz' },
  `update manual_credits c
      set decided_by = rows.decided_by, decided_at = rows.decided_at
     from :rows
    where c.merchant_id = rows.merchant_id and c.mode = rows.mode and c.id = rows.id`,
);

/** A credit that may be the same money: never one that was rejected or withdrawn. */
export interface AlikeRow {
  id: string;
  status: ManualCreditStatus;
  bank_reference: string;
  is_same_document: boolean;
}

/**
 * $1 merchant, $2 mode, $3 wallet, $4 day, $5 minor units, $6 hashes of the document, $7 the credit itself, left out.
 */
export const listAlikeCredits = statement<AlikeRow>(
  'list-alike-manual-credits',
  `select c.id, c.status, c.bank_reference, c.document_hash = any($6::text[]) as is_same_document
     from manual_credits c
    where c.merchant_id = $1 and c.mode = $2 and c.id <> $7 and c.status in ('PENDING', 'APPROVED')
      and ((c.wallet_id = $3 and c.received_on = $4 and c.amount_minor = $5) or c.document_hash = any($6::text[]))
    order by c.id desc
    limit 10`,
);

/** The same reference at another bank, of any merchant: it may be the same money under the wrong bank. */
export const listReferencesElsewhere = statement<{ manual_credit_id: string; bank_code: string }>(
  'list-bank-references-elsewhere',
  `select manual_credit_id, bank_code from manual_credit_references
    where mode = $1 and reference_key = $2 and bank_code <> $3
    order by bank_code
    limit 10`,
);

/** A line of the operator's list. */
export type ListedCreditRow = Omit<
  ManualCreditRow,
  'reference_key' | 'document_hash' | 'document_digest' | 'digest'
> & {
  wallet_account_number: string;
  wallet_account_name: string;
};

const LISTED = `c.merchant_id, c.mode, c.id, c.transaction_id, c.wallet_id, c.amount_minor, c.currency, c.bank_code,
  c.bank_name, c.bank_reference, c.received_on, c.payer_name, c.note, c.document_name, c.document_type, c.document_bytes,
  c.status, c.reason, c.proposed_by, c.proposed_at, c.decided_by, c.decided_at, c.updated_at,
  ${SHOWN_NUMBER} as wallet_account_number, w.account_name as wallet_account_name`;

const ORDER: ListOrder<ListedCreditRow>['keys'] = [
  { sql: 'c.proposed_at', type: 'timestamptz', of: ({ proposed_at }) => proposed_at },
  { sql: 'c.id', type: 'uuid', of: ({ id }) => id },
];

export type CreditState = 'WAITING' | 'DECIDED';

/**
 * Across merchants: credits that wait for a second person, longest waiting first; or those that were decided, newest
 * first.
 */
export function manualCreditList({ state }: { state: CreditState }): List<ListedCreditRow> {
  return {
    name: 'manual-credits',
    of: [state],
    order: { direction: state === 'WAITING' ? 'asc' : 'desc', keys: ORDER },
    columns: LISTED,
    from: `manual_credits c
           join wallets w on w.merchant_id = c.merchant_id and w.mode = c.mode and w.id = c.wallet_id`,
    where: [state === 'WAITING' ? `c.status = 'PENDING'` : `c.status <> 'PENDING'`],
    values: [],
    countFrom: 'manual_credits c',
  };
}

/**
 * Across merchants, outside money transactions. $1 is the person who looks: their own proposals wait for somebody else.
 */
export const countManualCredits = statement<{ waiting: number }>(
  'count-manual-credits-to-decide',
  `select count(*)::int as waiting from manual_credits c where c.status = 'PENDING' and c.proposed_by <> $1`,
);
