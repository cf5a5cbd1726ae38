import type { LinkProps } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  BookUser,
  Building2,
  Contact,
  FileSpreadsheet,
  GitFork,
  HandCoins,
  type LucideIcon,
  Send,
  Store,
  Undo2,
  UserRound,
} from 'lucide-react';
import type { Data } from '../api/types.ts';

type MerchantHit = Data<'get', '/search'>['hits'][number];
type OperatorHit = Data<'get', '/operator/search'>['hits'][number];
export type Hit = MerchantHit | OperatorHit;
type HitType = Hit['type'];

/** What they are called together, and by which picture they are known. */
export const HIT_WORDS: Readonly<Record<HitType, { many: string; icon: LucideIcon }>> = {
  MERCHANT: { many: 'Merchants', icon: Building2 },
  PAYOUT: { many: 'Payouts', icon: Send },
  TRANSACTION: { many: 'Transactions', icon: ArrowLeftRight },
  PAYMENT: { many: 'Payments in', icon: HandCoins },
  REFUND: { many: 'Refunds', icon: Undo2 },
  BATCH: { many: 'Bulk payouts', icon: FileSpreadsheet },
  BENEFICIARY: { many: 'Beneficiaries', icon: BookUser },
  CUSTOMER: { many: 'Customers', icon: Contact },
  STORE: { many: 'Stores', icon: Store },
  SUBACCOUNT: { many: 'Subaccounts', icon: GitFork },
  PERSON: { many: 'People', icon: UserRound },
};

type Target = Pick<LinkProps, 'to' | 'params' | 'search'>;

/** Where a hit is opened; what has no page of its own, in its list. */
export function targetOf(hit: Hit): Target {
  if ('merchantId' in hit) return targetOfOperator(hit);
  const { type, id } = hit;
  switch (type) {
    case 'PAYOUT':
      return { to: '/payouts/$transactionId', params: { transactionId: id } };
    case 'PAYMENT':
      return { to: '/collections', search: { payment: id } };
    case 'REFUND':
      return { to: '/collections/refunds/$refundId', params: { refundId: id } };
    case 'BATCH':
      return { to: '/bulk/$batchReference', params: { batchReference: hit.reference ?? '' } };
    case 'BENEFICIARY':
      return { to: '/beneficiaries', search: { search: hit.subtitle.split(' ').at(-1) ?? '' } };
    case 'CUSTOMER':
      return { to: '/collections/customers', search: { search: hit.subtitle } };
    case 'STORE':
      return { to: '/stores/$storeId', params: { storeId: id } };
    case 'SUBACCOUNT':
      return { to: '/subaccounts/$subaccountId', params: { subaccountId: id } };
    case 'PERSON':
      return { to: '/settings/people' };
    default:
      return { to: '/transactions/$transactionId', params: { transactionId: id } };
  }
}

/** The operator has pages of payouts, payments in and refunds of any merchant; anything else is read on the merchant's. */
function targetOfOperator({ type, id, merchantId, mode }: OperatorHit): Target {
  if (merchantId === null) return { to: '/operator/people' };
  switch (type) {
    case 'PAYOUT':
      return { to: '/operator/payouts/$reference', params: { reference: id } };
    case 'PAYMENT':
      return { to: '/operator/payments-in/$paymentId', params: { paymentId: id } };
    case 'REFUND':
      return { to: '/operator/refunds', search: { refund: id, merchantId, ...(mode !== null && { only: mode }) } };
    default:
      return { to: '/operator/merchants/$merchantId', params: { merchantId } };
  }
}
