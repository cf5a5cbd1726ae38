import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Mode } from '../api/types.ts';

/** To the operator's pages of what is named in a text, a list or a dialog. */

const LOOK = 'break-words text-accent underline';

interface MerchantLinkProps {
  merchantId: string;
  businessName: string | null;
}

export function MerchantLink({ merchantId, businessName }: MerchantLinkProps) {
  return (
    <Link to="/operator/merchants/$merchantId" params={{ merchantId }} search={{}} className={LOOK}>
      {businessName ?? merchantId}
    </Link>
  );
}

export function PayoutLink({ payoutId, children }: { payoutId: string; children: ReactNode }) {
  return (
    <Link to="/operator/payouts/$reference" params={{ reference: payoutId }} className={LOOK}>
      {children}
    </Link>
  );
}

export function PaymentInLink({ paymentId, children }: { paymentId: string; children: ReactNode }) {
  return (
    <Link to="/operator/payments-in/$paymentId" params={{ paymentId }} className={LOOK}>
      {children}
    </Link>
  );
}

interface OfMerchant {
  merchantId: string;
  mode: Mode;
  children: ReactNode;
}

export function RefundLink({ refundId, merchantId, mode, children }: OfMerchant & { refundId: string }) {
  return (
    <Link to="/operator/refunds" search={{ refund: refundId, merchantId, only: mode }} className={LOOK}>
      {children}
    </Link>
  );
}

export function DisputeLink({ disputeId, merchantId, mode, children }: OfMerchant & { disputeId: string }) {
  return (
    <Link to="/operator/disputes/$disputeId" params={{ disputeId }} search={{ merchantId, of: mode }} className={LOOK}>
      {children}
    </Link>
  );
}
