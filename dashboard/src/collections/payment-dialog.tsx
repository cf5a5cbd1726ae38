import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Alert } from '../components/alert.tsx';
import { ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { channelWord } from '../format/channels.ts';
import { PaymentDisputes } from './payment-disputes.tsx';
import { PaymentRefunds } from './payment-refunds.tsx';
import { type InboundPayment, PAYMENT_WORDS, reasonWord } from './payment-words.ts';

type PaymentReserve = NonNullable<Data<'get', '/collection/payment/{paymentId}'>['reserve']>;

/** Everything that is known of one payment in. */
export function PaymentDialog({ payment, onClose }: { payment: InboundPayment; onClose: () => void }) {
  const customer = useCustomerName(payment.customerId);
  const { data } = useRead('/collection/payment/{paymentId}', { path: { paymentId: payment.paymentId } });
  const reserve = data?.reserve ?? null;
  const said = reasonWord(payment.reason);
  const { payer } = payment;
  return (
    <Dialog open onClose={onClose} title={`From ${payer.name ?? 'an unknown payer'}`}>
      {said !== null && (
        <Alert tone="warn" className="mb-4">
          {said}
        </Alert>
      )}
      <DescriptionList
        items={[
          { label: 'Amount', value: <Amount value={payment.amount} className="font-semibold" /> },
          ...(payment.fee > 0 || payment.vat > 0
            ? [
                { label: 'Fee', value: <Amount value={payment.fee} /> },
                { label: 'VAT on the fee', value: <Amount value={payment.vat} /> },
                { label: 'Yours', value: <Amount value={payment.net} className="font-semibold" /> },
              ]
            : []),
          { label: 'In reserve', value: reserve === null ? null : <Reserved reserve={reserve} /> },
          { label: 'Paid by', value: payment.channel === null ? null : channelWord(payment.channel) },
          { label: 'Status', value: PAYMENT_WORDS[payment.status] },
          { label: 'Customer', value: customer },
          { label: 'Narration', value: payment.narration },
          {
            label: "Payer's account",
            value: [payer.accountNumber, payer.bankName].filter(Boolean).join(' · ') || null,
          },
          { label: 'To account', value: <Copyable text={payment.accountNumber} what="account number" /> },
          {
            label: 'Session id',
            value: payment.sessionId === null ? null : <Copyable text={payment.sessionId} what="session id" />,
          },
          { label: 'Paid', value: payment.paidAt === null ? null : <Moment at={payment.paidAt} /> },
          { label: 'Confirmed', value: <Moment at={payment.confirmedAt} /> },
          {
            label: 'Confirmed by',
            value:
              data === undefined
                ? null
                : `${data.evidence.length === 1 ? 'one answer' : `${data.evidence.length} answers`} of the bank that received it`,
          },
        ].filter(({ value }) => value !== null)}
      />
      {payment.status === 'CREDITED' && data !== undefined && (
        <PaymentRefunds payment={payment} refundable={data.refunds.refundableAmount} />
      )}
      <PaymentDisputes payment={payment} />
      {payment.status === 'CREDITED' && (
        <p className="mt-4">
          <ButtonLink to="/transactions/$transactionId" params={{ transactionId: payment.paymentId }}>
            See the transaction
          </ButtonLink>
        </p>
      )}
    </Dialog>
  );
}

/** How much is kept of it, and when it comes back, or came. */
function Reserved({ reserve: { amount, releaseOn, releasedAt } }: { reserve: PaymentReserve }) {
  return (
    <>
      <Amount value={amount} /> {releasedAt === null ? 'until' : 'until it came back on'}{' '}
      <Moment at={releasedAt ?? `${releaseOn}T00:00:00+01:00`} show="day" />
    </>
  );
}

/** Null until it is known, and where nobody said who pays. */
function useCustomerName(customerId: string | null): string | null {
  const path = { customerId: customerId ?? '' };
  return useRead('/customer/{customerId}', { path }, { enabled: customerId !== null }).data?.name ?? null;
}
