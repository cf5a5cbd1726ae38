import type { InboundPaymentRow } from '../collections/index.ts';
import { setStatement, statement } from '../platform/db/statement.ts';
import type { PaymentAction, Proposal } from './proposal.ts';

export interface PaymentProposal extends Proposal<PaymentAction> {
  merchant_id: string;
  payment_id: string;
  wallet_id: string | null;
  amount_minor: bigint;
}

/** What the second person says yes to, of a row `o`: a SHA-256 in hex. */
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

/** The one about a payment that waits for a second person. */
export const findOpenPaymentProposal = statement<PaymentProposal>(
  'find-open-suspense-proposal',
  `select o.*, ${SUSPENSE_FINGERPRINT} as digest_now from suspense_proposals o
    where o.merchant_id = $1 and o.mode = $2 and o.payment_id = $3 and o.status = 'PENDING'`,
);

/** Only while it is open: of two decisions the second finds nothing. $4 status, $5 reason, $6 who, $7 now. */
export const updatePaymentProposalClosed = statement<{ id: string }>(
  'update-suspense-proposal-closed',
  `update suspense_proposals set status = $4, reason = $5, decided_by = $6, decided_at = $7, updated_at = $7
    where merchant_id = $1 and mode = $2 and id = $3 and status = 'PENDING'
    returning id`,
);

/** Who confirmed; the state itself is changed by the movement's transition. */
export const updatePaymentProposalsConfirmed = setStatement<{
  merchant_id: string;
  mode: string;
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
