import { toNumberOrNull } from '../money/index.ts';
import { jsonText } from '../platform/json-text.ts';
import { linkStatus } from './link-state.ts';
import type { LinkRow } from './queries.ts';

export interface LinkContext {
  /** Sessions under it that were paid. */
  paid: number;
  now: Date;
  /** What addresses of this service begin with. */
  baseUrl: string;
}

export function linkView(row: LinkRow, { paid, now, baseUrl }: LinkContext) {
  return {
    linkId: row.id,
    url: `${baseUrl}/pay/${row.slug}`,
    status: linkStatus(row, paid, now),
    title: row.title,
    description: row.description,
    amount: toNumberOrNull(row.amount_minor),
    minAmount: toNumberOrNull(row.min_amount_minor),
    maxAmount: toNumberOrNull(row.max_amount_minor),
    currency: row.currency,
    amountRule: row.amount_rule,
    channels: row.channels.split(' '),
    payerName: row.payer_name,
    payerEmail: row.payer_email,
    maxPayments: row.max_payments,
    paidSessions: paid,
    walletId: row.wallet_id,
    returnUrl: row.return_url,
    metadata: row.metadata === null ? null : jsonText(row.metadata),
    mode: row.mode,
    expiresAt: row.expires_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
