import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Status } from '../components/status.tsx';
import { Amount, Moment } from '../components/values.tsx';
import type { InboundPayment } from './payment-words.ts';
import { RefundDialog } from './refund-dialog.tsx';
import { REFUND_WORDS } from './refund-words.ts';

interface PaymentRefundsProps {
  payment: InboundPayment;
  /** What may still be refunded, in naira. */
  refundable: number;
}

/** What of a payment went back, each refund with how it stands, and the way to another one. */
export function PaymentRefunds({ payment, refundable }: PaymentRefundsProps) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useRead('/collection/refund', { query: { paymentId: payment.paymentId } });
  const mayRefund = useMay()('collection:write', useMode()) && refundable > 0;
  const isEnabled = useRead('/merchant/info', {}, { enabled: mayRefund }).data?.isRefundEnabled;
  const refunds = data?.records ?? [];
  if (refunds.length === 0 && (isEnabled === undefined || !mayRefund)) return null;
  return (
    <section className="mt-4" aria-label="Refunds">
      {refunds.length > 0 && (
        <ul className="divide-y divide-line">
          {refunds.map(({ refundId, amount, status, reason, note, createdAt }) => (
            <li key={refundId} className="flex flex-wrap items-center justify-between gap-2 py-2">
              <span>
                <Link to="/collections/refunds/$refundId" params={{ refundId }} className="text-accent underline">
                  <Amount value={amount} className="font-semibold" />
                </Link>
                <span className="block text-xs text-muted">
                  {note !== null && `${note} · `}
                  <Moment at={createdAt} />
                </span>
              </span>
              <Status status={status} reason={reason} word={REFUND_WORDS[status]} />
            </li>
          ))}
        </ul>
      )}
      {isEnabled !== undefined && mayRefund && (
        <div className="mt-2 flex flex-wrap items-center gap-3">
          <Button disabled={!isEnabled} onClick={() => setOpen(true)}>
            Refund
          </Button>
          {!isEnabled && (
            <p className="text-sm text-muted">Refunds are switched off for your business: ask the operator.</p>
          )}
        </div>
      )}
      {isOpen && <RefundDialog payment={payment} refundable={refundable} onClose={() => setOpen(false)} />}
    </section>
  );
}
