import type { InboundPaymentRow, OpenCreditRow } from '../collections/index.ts';
import { setStatement, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';
import type { CreditAction, PaymentAction, Proposal } from './proposal.ts';

export interface CreditProposal extends Proposal<CreditAction> {
  rail: string;
  credit_key: string;
  merchant_id: string | null;
  wallet_id: string | null;
  provider_transaction_id: string | null;
  amount_minor: bigint | null;
}

/** The fingerprint of a row `o` that a second person confirms: a SHA-256 in hex. */
export const CREDIT_PROPOSAL_FINGERPRINT = `encode(sha256(convert_to(json_build_array(o.id, o.rail, o.credit_key, o.mode,
  o.action, o.merchant_id, o.wallet_id, o.provider_transaction_id, o.amount_minor, o.facts_digest, o.source, o.note,
  o.proposed_by, extract(epoch from o.proposed_at))::text, 'UTF8')), 'hex')`;

/** What is known of an open credit `c`: a SHA-256 in hex. Repeated questions add nothing to it. */
export const CREDIT_FACTS = `encode(sha256(convert_to(json_build_array(c.rail, c.credit_key, c.mode, c.provider_transaction_id,
  c.session_id, c.account_number, c.reported_minor, c.status, c.reason, c.confirmed)::text, 'UTF8')), 'hex')`;

/** A kept credit with what the provider confirmed of it; null where it confirmed nothing. */
export interface KnownCredit extends OpenCreditRow {
  facts_digest: string;
  confirmed_id: string | null;
  confirmed_session_id: string | null;
  confirmed_account_number: string | null;
  confirmed_minor: bigint | null;
}

export const findCreditFacts = statement<KnownCredit>(
  'find-open-credit-with-facts',
  `select c.*, ${CREDIT_FACTS} as facts_digest, c.confirmed::json ->> 'providerTransactionId' as confirmed_id,
          c.confirmed::json ->> 'sessionId' as confirmed_session_id,
          c.confirmed::json ->> 'accountNumber' as confirmed_account_number,
          (c.confirmed::json ->> 'amountMinor')::bigint as confirmed_minor
     from open_credits c where c.rail = $1 and c.credit_key = $2`,
);

/**
 * $1 id, $2 account, $3 key, $4 mode, $5 action, $6 merchant and $7 wallet, $8 transaction, $9 minor units, $10 facts,
 * $11 source, $12 note, $13 who, $14 now.
 */
export const insertCreditProposal = statement<{ digest: string }>(
  'insert-open-credit-proposal',
  `insert into open_credit_proposals (id, rail, credit_key, mode, action, merchant_id, wallet_id, provider_transaction_id,
          amount_minor, facts_digest, source, note, proposed_by, proposed_at, status, updated_at, digest)
   select o.*, 'PENDING', o.proposed_at, ${CREDIT_PROPOSAL_FINGERPRINT}
     from (select $1::uuid, $2::text, $3::text, $4::text, $5::text, $6::uuid, $7::uuid, $8::text, $9::bigint, $10::text,
                  $11::text, $12::text, $13::uuid, $14::timestamptz)
          o (id, rail, credit_key, mode, action, merchant_id, wallet_id, provider_transaction_id, amount_minor,
             facts_digest, source, note, proposed_by, proposed_at)
   returning digest`,
);

export const findCreditProposal = statement<CreditProposal>(
  'find-open-credit-proposal',
  `select o.*, ${CREDIT_PROPOSAL_FINGERPRINT} as digest_now from open_credit_proposals o where o.id = $1`,
);

/** The proposal about a credit that waits for a second person. */
export const findPendingCreditProposal = statement<CreditProposal>(
  'find-pending-open-credit-proposal',
  `select o.*, ${CREDIT_PROPOSAL_FINGERPRINT} as digest_now from open_credit_proposals o
    where o.rail = $1 and o.credit_key = $2 and o.status = 'PENDING'`,
);

/** Only while it is open: of two decisions the second finds no row. $2 status, $3 reason, $4 who, $5 now. */
export const updateCreditProposalClosed = statement<{ id: string }>(
  'update-open-credit-proposal-closed',
  `update open_credit_proposals set status = $2, reason = $3, decided_by = $4, decided_at = $5, updated_at = $5
    where id = $1 and status = 'PENDING'
    returning id`,
);

/**
 * Only while it is open and its credit is as it was when it was proposed; the credit is locked from then on. $1 id, $2
 * who, $3 now.
 */
export const updateCreditProposalConfirmed = statement<{ id: string }>(
  'update-open-credit-proposal-confirmed',
  `with credit as (
     select c.rail, c.credit_key
       from open_credits c
       join open_credit_proposals o on o.rail = c.rail and o.credit_key = c.credit_key and o.id = $1
      where o.status = 'PENDING' and ${CREDIT_FACTS} = o.facts_digest
        for update
   )
   update open_credit_proposals o
      set status = 'CONFIRMED', decided_by = $2, decided_at = $3, updated_at = $3
     from credit
    where o.id = $1 and o.status = 'PENDING'
    returning o.id`,
);

export interface PaymentProposal extends Proposal<PaymentAction> {
  merchant_id: string;
  payment_id: string;
  wallet_id: string | null;
  amount_minor: bigint;
}

/** The fingerprint of a row `o` that a second person confirms: a SHA-256 in hex. */
export const SUSPENSE_FINGERPRINT = `encode(sha256(convert_to(json_build_array(o.merchant_id, o.mode, o.id, o.payment_id,
  o.action, o.wallet_id, o.amount_minor, o.facts_digest, o.source, o.note, o.proposed_by,
  extract(epoch from o.proposed_at))::text, 'UTF8')), 'hex')`;

/** What is known of a payment `p`: a SHA-256 in hex. */
export const PAYMENT_FACTS = `encode(sha256(convert_to(json_build_array(p.status, p.reason, p.wallet_id, p.rail,
  p.provider_transaction_id, p.session_id, p.account_number, p.amount_minor, p.currency, p.receivable_id, p.payer_name,
  p.payer_account_number, p.payer_bank_name)::text, 'UTF8')), 'hex')`;

export const findPaymentFacts = statement<InboundPaymentRow & { facts_digest: string }>(
  'find-payment-with-facts',
  `select p.*, ${PAYMENT_FACTS} as facts_digest from inbound_payments p
    where p.merchant_id = $1 and p.mode = $2 and p.id = $3`,
);

/** The payment that a transfer became. $1 merchant, $2 mode, $3 account, $4 transaction. */
export const findPaymentOfTransfer = statement<Pick<InboundPaymentRow, 'status'>>(
  'find-payment-of-transfer',
  `select status from inbound_payments
    where merchant_id = $1 and mode = $2 and rail = $3 and provider_transaction_id = $4`,
);

/** $1 merchant, $2 mode, $3 id, $4 payment, $5 action, $6 wallet, $7 facts, $8 source, $9 note, $10 who, $11 now. */
export const insertPaymentProposal = statement<{ digest: string }>(
  'insert-suspense-proposal',
  `insert into suspense_proposals (merchant_id, mode, id, payment_id, action, wallet_id, facts_digest, source, note,
          proposed_by, proposed_at, amount_minor, status, updated_at, digest)
   select o.*, 'PENDING', o.proposed_at, ${SUSPENSE_FINGERPRINT}
     from (select given.*, p.amount_minor
             from (select $1::uuid, $2::text, $3::uuid, $4::uuid, $5::text, $6::uuid, $7::text, $8::text, $9::text,
                          $10::uuid, $11::timestamptz)
                  given (merchant_id, mode, id, payment_id, action, wallet_id, facts_digest, source, note, proposed_by,
                         proposed_at)
             join inbound_payments p on p.merchant_id = given.merchant_id and p.mode = given.mode and p.id = given.payment_id
          ) o
   returning digest`,
);

export const findPaymentProposal = statement<PaymentProposal>(
  'find-suspense-proposal',
  `select o.*, ${SUSPENSE_FINGERPRINT} as digest_now from suspense_proposals o
    where o.merchant_id = $1 and o.mode = $2 and o.id = $3`,
);

/** The proposal about a payment that waits for a second person. */
export const findOpenPaymentProposal = statement<PaymentProposal>(
  'find-open-suspense-proposal',
  `select o.*, ${SUSPENSE_FINGERPRINT} as digest_now from suspense_proposals o
    where o.merchant_id = $1 and o.mode = $2 and o.payment_id = $3 and o.status = 'PENDING'`,
);

/** Only while it is open: of two decisions the second finds no row. $4 status, $5 reason, $6 who, $7 now. */
export const updatePaymentProposalClosed = statement<{ id: string }>(
  'update-suspense-proposal-closed',
  `update suspense_proposals set status = $4, reason = $5, decided_by = $6, decided_at = $7, updated_at = $7
    where merchant_id = $1 and mode = $2 and id = $3 and status = 'PENDING'
    returning id`,
);

/** Who confirmed; the movement's transition changes the state. */
export const updatePaymentProposalsConfirmed = setStatement<{
  merchant_id: string;
  mode: Mode;
  id: string;
  decided_by: string;
  decided_at: Date;
}>(
  'update-suspense-proposals-confirmed',
  { merchant_id: 'uuid', mode: 'text', id: 'uuid', decided_by: 'uuid', decided_at: 'timestamptz' },
  `update suspense_proposals o
      set decided_by = rows.decided_by, decided_at = rows.decided_at
     from :rows
    where o.merchant_id = rows.merchant_id and o.mode = rows.mode and o.id = rows.id`,
);
