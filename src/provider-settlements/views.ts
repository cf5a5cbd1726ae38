import { Type } from 'typebox';
import { decimalText, toNumber } from '../money/index.ts';
import { DateTime, type EventTypes, Money, Named, Uuid } from '../platform/http/schemas.ts';
import type { DeductionSettlementRow } from './deduction-queries.ts';
import type { ListedProviderLine } from './list-queries.ts';
import type { CollectionSettlementRow } from './queries.ts';

/** What a merchant is sent when the provider settled a payment of theirs. What the provider keeps is the operator's matter. */
export function collectionSettlementView(row: CollectionSettlementRow) {
  return {
    settlementId: row.id,
    paymentId: row.payment_id,
    amount: toNumber(row.gross_minor),
    currency: 'NGN',
    settledAt: row.settled_at.toISOString(),
  };
}

/** The same when it took a refund or dispute of theirs from what it settled. */
export function deductionSettlementView(row: DeductionSettlementRow) {
  return {
    settlementId: row.id,
    subjectType: row.subject_type,
    subjectId: row.subject_id,
    amount: toNumber(row.amount_minor),
    currency: 'NGN',
    settledAt: row.settled_at.toISOString(),
  };
}

const time = (at: Date | null): string => at?.toISOString() ?? '';
const naira = (minor: bigint | null): string => (minor === null ? '' : decimalText(minor));

/** One line with its outcome, as a row of CSV. Amounts in naira, times in UTC. */
export function providerLineRecord(line: ListedProviderLine): Record<string, string> {
  return {
    line: line.line_number === null ? '' : String(line.line_number),
    id: line.id,
    result: line.result ?? '',
    detail: line.detail ?? '',
    transaction_id: line.provider_transaction_id ?? '',
    session_id: line.session_id ?? '',
    reference: line.reference ?? '',
    gross: naira(line.gross_minor),
    fee: naira(line.fee_minor),
    net: naira(line.net_minor),
    currency: line.currency ?? '',
    our_amount: naira(line.our_amount_minor),
    our_fee: naira(line.our_fee_minor),
    merchant_id: line.merchant_id ?? '',
    payment_id: line.payment_id ?? '',
    deduction_of: line.subject_type ?? '',
    deduction_id: line.subject_id ?? '',
    posted_at: time(line.posted_at),
    resolved: line.resolved_how ?? '',
    resolved_note: line.resolved_note ?? '',
    resolved_by: line.resolved_by ?? '',
    resolved_at: time(line.resolved_at),
  };
}

const CollectionSettlementSchema = Named(
  'CollectionSettlement',
  Type.Object({
    settlementId: Uuid('Of this payment alone.'),
    paymentId: Uuid(),
    amount: Money('What the payer had sent, whole.'),
    currency: Type.Literal('NGN'),
    settledAt: DateTime('When the operator recorded it.'),
  }),
);

const DeductionSettlementSchema = Named(
  'DeductionSettlement',
  Type.Object({
    settlementId: Uuid('Of this deduction alone.'),
    subjectType: Type.Union([Type.Literal('REFUND'), Type.Literal('DISPUTE')]),
    subjectId: Uuid('The refund or dispute that it is of.'),
    amount: Money('What the provider took for it.'),
    currency: Type.Literal('NGN'),
    settledAt: DateTime('When the operator recorded it.'),
  }),
);

export const providerSettlementEvents: EventTypes = {
  'collection.settled': {
    summary:
      'The provider settled a payment in. One that waited for it is in its wallet now, which `inbound_payment.credited` says.',
    data: CollectionSettlementSchema,
  },
  'collection.deducted': {
    summary:
      'The provider took a refund or a lost dispute from what it settles. Your wallet paid for it before: nothing moves in it now.',
    data: DeductionSettlementSchema,
  },
};
