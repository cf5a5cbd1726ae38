import { setInsert, statement } from '../../platform/db/statement.ts';
import type { Mode } from '../../platform/tenant.ts';
import type { SandboxDisputeRow } from './dispute-queries.ts';
import type { CreditRow } from './queries.ts';
import type { SandboxRefundRow } from './refund-queries.ts';
import { webhookQueue } from './webhook-queries.ts';

/** One lump sum in the simulated bank's own books. */
export interface SandboxSettlementRow {
  merchant_id: string;
  mode: Mode;
  id: string;
  scenario: string;
  lump_minor: bigint;
  /** JSON text: an array of `StoredLine`. */
  lines: string;
  made_at: Date;
  next_webhook_at: Date | null;
}

export const insertSandboxSettlements = setInsert<SandboxSettlementRow>('sandbox_settlements', {
  merchant_id: 'uuid',
  mode: 'text',
  id: 'text',
  scenario: 'text',
  lump_minor: 'bigint',
  lines: 'text',
  made_at: 'timestamptz',
  next_webhook_at: 'timestamptz',
});

export const findSandboxSettlement = statement<SandboxSettlementRow>(
  'find-sandbox-settlement',
  'select * from sandbox_settlements where merchant_id = $1 and mode = $2 and id = $3',
);

export const countSandboxSettlements = statement<{ settlements: number }>(
  'count-sandbox-settlements',
  'select count(*)::int as settlements from sandbox_settlements where merchant_id = $1 and mode = $2',
);

/** A page of a window, of all merchants, after the one with the time $3 and the id $4. */
export const listSandboxSettlements = statement<SandboxSettlementRow>(
  'list-sandbox-settlements',
  `select * from sandbox_settlements
    where made_at >= $1 and made_at < $2 and (made_at, id) > ($3, $4)
    order by made_at, id
    limit $5`,
);

/** What settlements of a merchant had already. */
const TAKEN = `with taken as (
     select line ->> 'id' as id
       from sandbox_settlements s
      cross join lateral json_array_elements(s.lines::json) line
      where s.merchant_id = $1 and s.mode = $2
   )`;
/** So they are hashed once. By `not exists` each row is compared with every line: 2,000 payments took 18 s, and 4,000 over a minute. */
const isNew = (id: string) => `${id} not in (select id from taken)`;

/** Payments that no settlement had and that end well, the oldest first: those that fail would stand before them for ever. */
export const listCreditsToSettle = statement<CreditRow>(
  'list-sandbox-credits-to-settle',
  `${TAKEN}
   select c.* from sandbox_credits c
    where c.merchant_id = $1 and c.mode = $2 and c.status = 'SUCCESS' and ${isNew('c.id')}
    order by c.paid_at, c.id limit $3`,
);

/** Refunds that no settlement took. */
export const listRefundsToSettle = statement<SandboxRefundRow>(
  'list-sandbox-refunds-to-settle',
  `${TAKEN}
   select r.* from sandbox_refunds r
    where r.merchant_id = $1 and r.mode = $2 and ${isNew(`'SBR' || r.reference`)}
    order by r.first_asked_at, r.reference limit $3`,
);

/** Disputes that no settlement took. */
export const listDisputesToSettle = statement<SandboxDisputeRow>(
  'list-sandbox-disputes-to-settle',
  `${TAKEN}
   select d.* from sandbox_disputes d
    where d.merchant_id = $1 and d.mode = $2 and ${isNew('d.id')}
    order by d.opened_at, d.id limit $3`,
);

export const settlementWebhooks = webhookQueue<SandboxSettlementRow>('sandbox_settlements', 'settlement');
