import { movedBack, setInsert, setStatement, statement } from '../../platform/db/statement.ts';
import { queue } from '../../platform/jobs/queries.ts';
import type { Mode } from '../../platform/tenant.ts';
import { ADVANCE, type AdvanceRow, advanceColumns } from './advance-queries.ts';

export interface TransferRow {
  rail_reference: string;
  amount_minor: bigint;
  currency: string;
  bank_code: string;
  account_number: string;
  scenario: string;
  session_id: string;
  first_sent_at: Date;
  received_at: Date | null;
  queries: number;
  webhooks_delivered: number;
  next_webhook_at: Date | null;
}

const COLUMNS = `rail_reference, amount_minor, currency, bank_code, account_number, scenario, session_id, first_sent_at,
  received_at, queries, webhooks_delivered, next_webhook_at`;

const THIS_TRANSFER = 'merchant_id = $1 and mode = $2 and rail_reference = $3';

export interface NewTransfer {
  merchant_id: string;
  mode: Mode;
  rail_reference: string;
  amount_minor: bigint;
  currency: string;
  bank_code: string;
  account_number: string;
  account_name: string;
  narration: string;
  scenario: string;
  session_id: string;
  first_sent_at: string;
  received_at: string | null;
  next_webhook_at: string | null;
}

/** Any number of sends at once. Only those whose reference was not known come back; of two alike, the first counts. */
export const insertSandboxTransfers = setStatement<NewTransfer>(
  'insert-sandbox-rail-transfers',
  {
    merchant_id: 'uuid',
    mode: 'text',
    rail_reference: 'text',
    amount_minor: 'bigint',
    currency: 'text',
    bank_code: 'text',
    account_number: 'text',
    account_name: 'text',
    narration: 'text',
    scenario: 'text',
    session_id: 'text',
    first_sent_at: 'timestamptz',
    received_at: 'timestamptz',
    next_webhook_at: 'timestamptz',
  },
  `insert into sandbox_rail_transfers (merchant_id, mode, rail_reference, amount_minor, currency, bank_code,
     account_number, account_name, narration, scenario, session_id, first_sent_at, received_at, next_webhook_at,
     queries, webhooks_delivered)
   select rows.*, 0, 0 from :rows
   on conflict (merchant_id, mode, rail_reference) do nothing
   returning merchant_id, rail_reference`,
);

export const findTransfer = statement<TransferRow>(
  'find-sandbox-rail-transfer',
  `select ${COLUMNS} from sandbox_rail_transfers where ${THIS_TRANSFER}`,
);

/** Only scenarios whose state depends on the number of queries pay for this write. */
export const updateTransferQueried = statement<TransferRow>(
  'update-sandbox-rail-transfer-queried',
  `update sandbox_rail_transfers set queries = queries + 1 where ${THIS_TRANSFER} returning ${COLUMNS}`,
);

/** A lost message that was sent again: arrives now, once. */
export const updateTransferReceived = statement<TransferRow>(
  'update-sandbox-rail-transfer-received',
  `update sandbox_rail_transfers set received_at = $4 where ${THIS_TRANSFER} and received_at is null
   returning ${COLUMNS}`,
);

/** But for the references in $4. */
export const listDueWebhooks = statement<TransferRow>(
  'list-sandbox-rail-due-webhooks',
  `select ${COLUMNS} from sandbox_rail_transfers
   where merchant_id = $1 and mode = $2 and next_webhook_at <= $3 and rail_reference <> all ($4::text[])
   order by next_webhook_at, rail_reference
   limit $5`,
);

/** Whose provider webhooks are due, but for the references in $2. Looks across merchants, outside money transactions, and locks nothing. */
export const listTenantsWithDueWebhooks = statement<{ merchant_id: string; mode: Mode }>(
  'list-tenants-with-due-sandbox-webhooks',
  `select merchant_id, mode from sandbox_rail_transfers
    where next_webhook_at is not null and next_webhook_at <= $1 and rail_reference <> all ($2::text[])
    group by merchant_id, mode`,
);

export const TRANSFER_WEBHOOKS = queue(
  listTenantsWithDueWebhooks,
  'sandbox_rail_transfers',
  'next_webhook_at is not null and next_webhook_at <= $1',
);

/** Time forward at the simulated bank. A plain success waits for nothing, and keeps its times. */
export const updateTransfersAdvanced = setStatement<AdvanceRow>(
  'update-sandbox-rail-transfers-advanced',
  advanceColumns,
  `update sandbox_rail_transfers t
      set first_sent_at = ${movedBack('t.first_sent_at', 'advance.seconds')},
          received_at = ${movedBack('t.received_at', 'advance.seconds')},
          next_webhook_at = ${movedBack('t.next_webhook_at', 'advance.seconds')}
     from ${ADVANCE}
    where t.merchant_id = advance.merchant_id and t.mode = advance.mode and t.scenario <> 'success'
      and greatest(t.first_sent_at, t.received_at, t.next_webhook_at) > advance.since`,
);

/** Guarded by the number delivered so far: of two processes that sent the same provider webhook one moves on. */
export const updateWebhookDelivered = statement<{ rail_reference: string }>(
  'update-sandbox-rail-webhook-delivered',
  `update sandbox_rail_transfers set webhooks_delivered = $4 + 1, next_webhook_at = $5
   where ${THIS_TRANSFER} and webhooks_delivered = $4
   returning rail_reference`,
);

export const sumReceived = statement<{ total_minor: bigint }>(
  'sum-sandbox-rail-received',
  `select coalesce(sum(amount_minor), 0)::bigint as total_minor from sandbox_rail_transfers
   where merchant_id = $1 and mode = $2 and received_at is not null and currency = $3 and scenario = any($4)`,
);

/** A page of what reached the rail's books, by reference. */
export const listReceived = statement<TransferRow>(
  'list-sandbox-rail-received',
  `select ${COLUMNS} from sandbox_rail_transfers
   where merchant_id = $1 and mode = $2 and received_at is not null and rail_reference > $3
   order by rail_reference
   limit $4`,
);

/** A credit in the simulated bank's own books. */
export interface CreditRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  session_id: string;
  account_number: string;
  amount_minor: bigint;
  currency: string;
  payer_name: string;
  payer_account_number: string;
  payer_bank_name: string;
  narration: string | null;
  channel: 'BANK_TRANSFER' | 'CARD';
  scenario: string;
  status: string;
  paid_at: Date;
  counted_from: Date;
  queries: number;
  webhooks_delivered: number;
  next_webhook_at: Date | null;
}

export const insertSandboxCredits = setInsert<CreditRow>('sandbox_credits', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'text',
  session_id: 'text',
  account_number: 'text',
  amount_minor: 'bigint',
  currency: 'text',
  payer_name: 'text',
  payer_account_number: 'text',
  payer_bank_name: 'text',
  narration: 'text',
  channel: 'text',
  scenario: 'text',
  status: 'text',
  paid_at: 'timestamptz',
  counted_from: 'timestamptz',
  queries: 'integer',
  webhooks_delivered: 'integer',
  next_webhook_at: 'timestamptz',
});

const CREDIT_COLUMNS = `merchant_id, mode, channel, id, session_id, account_number, amount_minor, currency, payer_name,
  payer_account_number, payer_bank_name, narration, scenario, status, paid_at, counted_from, queries, webhooks_delivered,
  next_webhook_at`;

const THIS_CREDIT = 'merchant_id = $1 and mode = $2 and id = $3';

export const findSandboxCredit = statement<CreditRow>(
  'find-sandbox-credit',
  `select ${CREDIT_COLUMNS} from sandbox_credits where ${THIS_CREDIT}`,
);

/** The last one that was paid to one of these account numbers. */
export const findNewestSandboxCredit = statement<{ id: string }>(
  'find-newest-sandbox-credit',
  'select id from sandbox_credits where account_number = any($1::text[]) order by paid_at desc, id desc limit 1',
);

/** Only scenarios whose state depends on the number of queries pay for this write. */
export const updateSandboxCreditQueried = statement<CreditRow>(
  'update-sandbox-credit-queried',
  `update sandbox_credits set queries = queries + 1 where ${THIS_CREDIT} returning ${CREDIT_COLUMNS}`,
);

/** A page of a window, of all merchants, after the credit with the time $3 and the id $4. */
export const listSandboxCredits = statement<CreditRow>(
  'list-sandbox-credits',
  `select ${CREDIT_COLUMNS} from sandbox_credits
    where paid_at >= $1 and paid_at < $2 and (paid_at, id) > ($3, $4)
    order by paid_at, id
    limit $5`,
);

/** But for the ids in $4. */
export const listDueCreditWebhooks = statement<CreditRow>(
  'list-due-sandbox-credit-webhooks',
  `select ${CREDIT_COLUMNS} from sandbox_credits
    where merchant_id = $1 and mode = $2 and next_webhook_at <= $3 and id <> all ($4::text[])
    order by next_webhook_at, id
    limit $5`,
);

/** Whose credit webhooks are due, but for the ids in $2. Looks across merchants, outside money transactions. */
export const listTenantsWithDueCreditWebhooks = statement<{ merchant_id: string; mode: Mode }>(
  'list-tenants-with-due-sandbox-credit-webhooks',
  `select merchant_id, mode from sandbox_credits
    where next_webhook_at is not null and next_webhook_at <= $1 and id <> all ($2::text[])
    group by merchant_id, mode`,
);

export const CREDIT_WEBHOOKS = queue(
  listTenantsWithDueCreditWebhooks,
  'sandbox_credits',
  'next_webhook_at is not null and next_webhook_at <= $1',
);

/** Guarded by the number delivered so far: of two processes that sent the same webhook one moves on. */
export const updateCreditWebhookDelivered = statement<{ id: string }>(
  'update-sandbox-credit-webhook-delivered',
  `update sandbox_credits set webhooks_delivered = $4 + 1, next_webhook_at = $5
    where ${THIS_CREDIT} and webhooks_delivered = $4
    returning id`,
);

/** Time forward at the simulated bank. What was simply paid waits for nothing, and the time of payment stays. */
export const updateSandboxCreditsAdvanced = setStatement<AdvanceRow>(
  'update-sandbox-credits-advanced',
  advanceColumns,
  `update sandbox_credits c
      set counted_from = ${movedBack('c.counted_from', 'advance.seconds')},
          next_webhook_at = ${movedBack('c.next_webhook_at', 'advance.seconds')}
     from ${ADVANCE}
    where c.merchant_id = advance.merchant_id and c.mode = advance.mode and c.scenario <> 'paid'
      and greatest(c.counted_from, c.next_webhook_at) > advance.since`,
);
