import { movedBack, setInsert, setStatement, statement } from '../../platform/db/statement.ts';
import type { Mode } from '../../platform/tenant.ts';

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
  scenario: 'text',
  status: 'text',
  paid_at: 'timestamptz',
  counted_from: 'timestamptz',
  queries: 'integer',
  webhooks_delivered: 'integer',
  next_webhook_at: 'timestamptz',
});

const COLUMNS = `merchant_id, mode, id, session_id, account_number, amount_minor, currency, payer_name,
  payer_account_number, payer_bank_name, narration, scenario, status, paid_at, counted_from, queries, webhooks_delivered,
  next_webhook_at`;

const THIS_CREDIT = 'merchant_id = $1 and mode = $2 and id = $3';

export const findSandboxCredit = statement<CreditRow>(
  'find-sandbox-credit',
  `select ${COLUMNS} from sandbox_credits where ${THIS_CREDIT}`,
);

/** The last one that was paid to an account number. */
export const findNewestSandboxCredit = statement<{ id: string }>(
  'find-newest-sandbox-credit',
  'select id from sandbox_credits where account_number = $1 order by paid_at desc, id desc limit 1',
);

/** Only scenarios whose state depends on the number of queries pay for this write. */
export const updateSandboxCreditQueried = statement<CreditRow>(
  'update-sandbox-credit-queried',
  `update sandbox_credits set queries = queries + 1 where ${THIS_CREDIT} returning ${COLUMNS}`,
);

/** A page of a window, of all merchants, after the credit with the time $3 and the id $4. */
export const listSandboxCredits = statement<CreditRow>(
  'list-sandbox-credits',
  `select ${COLUMNS} from sandbox_credits
    where paid_at >= $1 and paid_at < $2 and (paid_at, id) > ($3, $4)
    order by paid_at, id
    limit $5`,
);

/** But for the ids in $4. */
export const listDueCreditWebhooks = statement<CreditRow>(
  'list-due-sandbox-credit-webhooks',
  `select ${COLUMNS} from sandbox_credits
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

/** Guarded by the number delivered so far: of two processes that sent the same webhook one moves on. */
export const updateCreditWebhookDelivered = statement<{ id: string }>(
  'update-sandbox-credit-webhook-delivered',
  `update sandbox_credits set webhooks_delivered = $4 + 1, next_webhook_at = $5
    where ${THIS_CREDIT} and webhooks_delivered = $4
    returning id`,
);

/** Time forward at the simulated bank. What was simply paid waits for nothing, and the time of payment stays. */
export const updateSandboxCreditsAdvanced = setStatement<{ merchant_id: string; mode: string; seconds: number }>(
  'update-sandbox-credits-advanced',
  { merchant_id: 'uuid', mode: 'text', seconds: 'integer' },
  `update sandbox_credits c
      set counted_from = ${movedBack('c.counted_from', 'advance.seconds')},
          next_webhook_at = ${movedBack('c.next_webhook_at', 'advance.seconds')}
     from (select rows.merchant_id, rows.mode, sum(rows.seconds)::float8 as seconds from :rows group by 1, 2) advance
    where c.merchant_id = advance.merchant_id and c.mode = advance.mode and c.scenario <> 'paid'`,
);
