import { statement } from '../../platform/db/statement.ts';

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
  notices_delivered: number;
  next_notice_at: Date | null;
}

const COLUMNS = `rail_reference, amount_minor, currency, bank_code, account_number, scenario, session_id, first_sent_at,
  received_at, queries, notices_delivered, next_notice_at`;

const THIS_TRANSFER = 'merchant_id = $1 and mode = $2 and rail_reference = $3';

/** No row comes back when the reference is known. */
export const insertTransfer = statement<{ rail_reference: string }>(
  'insert-sandbox-rail-transfer',
  `insert into sandbox_rail_transfers (merchant_id, mode, rail_reference, amount_minor, currency, bank_code,
     account_number, account_name, narration, scenario, session_id, first_sent_at, received_at, queries,
     notices_delivered, next_notice_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 0, 0, $14)
   on conflict (merchant_id, mode, rail_reference) do nothing
   returning rail_reference`,
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

export const listDueNotices = statement<TransferRow>(
  'list-sandbox-rail-due-notices',
  `select ${COLUMNS} from sandbox_rail_transfers
   where merchant_id = $1 and mode = $2 and next_notice_at <= $3
   order by next_notice_at, rail_reference
   limit $4`,
);

/** Guarded by the number delivered so far: of two processes that told the same notice one moves on. */
export const updateNoticeDelivered = statement<{ rail_reference: string }>(
  'update-sandbox-rail-notice-delivered',
  `update sandbox_rail_transfers set notices_delivered = $4 + 1, next_notice_at = $5
   where ${THIS_TRANSFER} and notices_delivered = $4
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
