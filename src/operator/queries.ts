import { EVERY_TENANT } from '../ledger/index.ts';
import { ofDueTenants, statement } from '../platform/db/statement.ts';
import type { Mode } from '../platform/tenant.ts';

export const listPeopleEmails = statement<{ id: string; email: string }>(
  'list-people-emails',
  'select id, email from people where id = any($1::uuid[])',
);

export interface MerchantPersonRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: string | null;
  second_factor: boolean;
  disabled_at: Date | null;
  last_seen_at: Date | null;
  created_at: Date;
}

/** The people who may sign in for a merchant, the earliest first. */
export const listMerchantPeople = statement<MerchantPersonRow>(
  'list-people-of-merchant-for-operator',
  `select id, email, first_name, last_name, role, totp_sealed is not null as second_factor, disabled_at, last_seen_at,
          created_at
     from people where merchant_id = $1 order by id limit 500`,
);

export interface VerifyRunRow {
  id: string;
  state: 'RIGHT' | 'WRONG' | 'FAILED';
  started_at: Date;
  finished_at: Date;
  started_by: string;
  report: string;
}

export const insertVerifyRun = statement(
  'insert-verify-run',
  `insert into verify_runs (id, state, started_at, finished_at, started_by, report) values ($1, $2, $3, $4, $5, $6)`,
);

export const findLastVerifyRun = statement<VerifyRunRow>(
  'find-last-verify-run',
  'select id, state, started_at, finished_at, started_by, report from verify_runs order by id desc limit 1',
);

/** The state of the last proof that could be made. */
export const findLastVerdict = statement<Pick<VerifyRunRow, 'state'>>(
  'find-last-verdict',
  `select state from verify_runs where state <> 'FAILED' order by id desc limit 1`,
);

/** Removes all but the last ones: an old proof says nothing about today. */
export const deleteOldVerifyRuns = statement(
  'delete-old-verify-runs',
  'delete from verify_runs where id not in (select id from verify_runs order by id desc limit $1)',
);

/** Lines of rails' files that confirm a payout. */
export const listPayoutSettlements = statement<{ kind: 'PAID' | 'RETURNED'; import_id: string; settled_at: Date }>(
  'list-settlements-of-payout',
  `select kind, import_id, settled_at from payout_settlements
    where merchant_id = $1 and mode = $2 and payout_id = $3 order by settled_at`,
);

/** The payment session that a payment in came for: its account at the provider is the session. $4 that account. */
export const findSessionOfPayment = statement<{
  session_id: string;
  reference: string;
  status: string;
  note: string | null;
}>(
  'find-session-of-payment-in',
  `select s.id as session_id, s.reference, s.status, m.note
     from payment_session_payments m
     join payment_sessions s on s.merchant_id = m.merchant_id and s.mode = m.mode and s.id = m.session_id
    where m.merchant_id = $1 and m.mode = $2 and m.session_id = $4 and m.payment_id = $3`,
);

/** The provider's settlement of a payment in. */
export const findSettlementOfPayment = statement<{
  settlement_id: string;
  gross_minor: bigint;
  fee_minor: bigint;
  settled_at: Date;
}>(
  'find-settlement-of-payment-in',
  `select settlement_id, gross_minor, fee_minor, settled_at from collection_settlements
    where merchant_id = $1 and mode = $2 and payment_id = $3`,
);

export interface DecisionAboutPayment {
  action: string;
  source: string;
  note: string;
  status: string;
  reason: string | null;
  proposed_by: string;
  proposed_at: Date;
  decided_by: string | null;
  decided_at: Date | null;
}

/** Decisions of people about a payment in suspense, newest first. */
export const listDecisionsAboutPayment = statement<DecisionAboutPayment>(
  'list-decisions-about-payment-in',
  `select action, source, note, status, reason, proposed_by, proposed_at, decided_by, decided_at from suspense_proposals
    where merchant_id = $1 and mode = $2 and payment_id = $3 order by id desc limit 50`,
);

/** A refund or a dispute of a payment in. */
export interface TakenBackRow {
  kind: 'REFUND' | 'DISPUTE';
  id: string;
  status: string;
  reason: string | null;
  amount_minor: bigint;
  at: Date;
}

/** What was, is or may be taken back of a payment in, newest first. */
export const listTakenBackOfPayment = statement<TakenBackRow>(
  'list-taken-back-of-payment-in',
  `select 'REFUND' as kind, id, status, reason, amount_minor, created_at as at from refunds
    where merchant_id = $1 and mode = $2 and payment_id = $3
    union all
   select 'DISPUTE', id, status, reason, disputed_minor, opened_at from disputes
    where merchant_id = $1 and mode = $2 and payment_id = $3
    order by at desc, id limit 50`,
);

/** Merchants whose wallets have an account number now, in either mode. */
export const listOwnersOfNumber = statement<{ merchant_id: string }>(
  'list-owners-of-account-number',
  `select m.id as merchant_id
     from (
       select merchant_id from account_numbers where account_number = $1
        union
       select merchant_id from receiving_numbers where account_number = $1 and closed_at is null
     ) owners
     join merchants m on m.id = owners.merchant_id`,
);

export interface WaitingRow {
  /** Null: of neither. */
  mode: Mode | null;
  since: Date | null;
}

/** $1 is now. */
export const findOldestDuePayouts = ofDueTenants<WaitingRow>(
  'find-oldest-due-payouts',
  { table: 'payouts', condition: 'due_at is not null', now: '$1' },
  'select mode, min(due_at) as since from tenants group by mode',
);

export const findOldestDueBatches = ofDueTenants<WaitingRow>(
  'find-oldest-due-batches',
  { table: 'batches', condition: 'due_at is not null', now: '$1' },
  'select mode, min(due_at) as since from tenants group by mode',
);

export const findOldestDueMail = statement<WaitingRow>(
  'find-oldest-due-mail',
  `select null::text as mode, min(due_at) as since from mails
    where sent_at is null and abandoned_at is null and due_at <= $1`,
);

export const findOldestApprovals = statement<WaitingRow>(
  'find-oldest-approvals',
  `select mode, min(made_at) as since from approvals where status = 'PENDING' and expires_at > $1 group by mode`,
);

export const findOldestDueCredits = statement<WaitingRow>(
  'find-oldest-due-credits',
  `select mode, min(due_at) as since from open_credits
    where mode in ('LIVE', 'SANDBOX') and due_at is not null and due_at <= $1 group by mode`,
);

/**
 * Addresses that have events to get, with the last event that each was sent, and the time since which a repeated call is due.
 * After `planReport`.
 */
export const listWaitingEndpoints = statement<{
  merchant_id: string;
  mode: Mode;
  cursor_sequence: bigint;
  retry_at: Date | null;
}>(
  'list-waiting-webhook-endpoints',
  `select e.merchant_id, e.mode, e.cursor_sequence, case when e.retry_at <= $1 then e.retry_at end as retry_at
     from webhook_endpoints e
     join ${EVERY_TENANT} b on b.merchant_id = e.merchant_id and b.mode = e.mode
    where e.url <> '' and e.status = 'ENABLED' and (e.paused_until is null or e.paused_until <= $1)
      and (b.event_sequence > e.cursor_sequence or e.retry_at <= $1)`,
);

export const listRailAccountNames = statement<{ id: string; name: string }>(
  'list-rail-account-names',
  'select id, name from rail_accounts',
);
