import type { OpenCreditRow } from '../collections/index.ts';
import { statement } from '../platform/db/statement.ts';
import type { CreditAction, Proposal } from './proposal.ts';

export interface CreditProposal extends Proposal<CreditAction> {
  rail: string;
  credit_key: string;
  merchant_id: string | null;
  wallet_id: string | null;
  provider_transaction_id: string | null;
  amount_minor: bigint | null;
}

/** What the second person says yes to, of a row `o`: a SHA-256 in hex. */
export const CREDIT_PROPOSAL_FINGERPRINT = `encode(sha256(convert_to(json_build_array(o.id, o.rail, o.credit_key, o.mode,
  o.action, o.merchant_id, o.wallet_id, o.provider_transaction_id, o.amount_minor, o.facts_digest, o.source, o.note,
  o.proposed_by, extract(epoch from o.proposed_at))::text, 'UTF8')), 'hex')`;

/** What is known of an open credit `c`: a SHA-256 in hex. That it was asked about again and again is nothing new. */
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

/** The one about a credit that waits for a second person. */
export const findPendingCreditProposal = statement<CreditProposal>(
  'find-pending-open-credit-proposal',
  `select o.*, ${CREDIT_PROPOSAL_FINGERPRINT} as digest_now from open_credit_proposals o
    where o.rail = $1 and o.credit_key = $2 and o.status = 'PENDING'`,
);

/** Only while it is open: of two decisions the second finds nothing. $2 status, $3 reason, $4 who, $5 now. */
export const updateCreditProposalClosed = statement<{ id: string }>(
  'update-open-credit-proposal-closed',
  `update open_credit_proposals set status = $2, reason = $3, decided_by = $4, decided_at = $5, updated_at = $5
    where id = $1 and status = 'PENDING'
    returning id`,
);

/**
 * Only while it is open and its credit as it was when it was proposed, which is locked from then on. $1 id, $2 who, $3 now.
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
