import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import { toast } from '../components/toast.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { PAYMENT_WORDS } from './payment-words.ts';
import { NOTE_WORDS, OPENED_BY_WORDS, type PaymentSession, SESSION_WORDS } from './session-words.ts';

const LOOK_EVERY_MS = 5_000;

interface SessionDialogProps {
  /** As the list has it now. */
  session: PaymentSession;
  onClose: () => void;
}

/** What somebody was asked to pay, what came, and where it is paid. */
export function SessionDialog({ session, onClose }: SessionDialogProps) {
  const [isCancelling, setCancelling] = useState(false);
  const cancel = useAction('post', '/collection/session/{sessionId}/cancel', { changes: ['/collection/session'] });
  const mayWrite = useMay()('collection:write', useMode());
  const { sessionId, conclusive } = session;
  if (isCancelling) {
    return (
      <ConfirmDialog
        open
        onClose={() => setCancelling(false)}
        title="Cancel this payment session?"
        confirm="Cancel the session"
        cancel="Keep it"
        danger
        onConfirm={async () => {
          await cancel.run({ path: { sessionId } });
          toast({ tone: 'good', text: 'The session is cancelled.' });
          onClose();
        }}
      >
        Its page shows nothing to pay any more. Money that comes all the same is credited, as late.
      </ConfirmDialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      kind="wide"
      title={session.description ?? `Session ${session.reference}`}
      actions={
        mayWrite &&
        !conclusive && (
          <Button look="danger" onClick={() => setCancelling(true)}>
            Cancel the session
          </Button>
        )
      }
    >
      {session.message !== null && (
        <Alert tone="warn" className="mb-4">
          {session.message}
        </Alert>
      )}
      <Facts session={session} />
      <Payments session={session} />
      {mayWrite && !conclusive && <PageLink sessionId={sessionId} />}
    </Dialog>
  );
}

function Facts({ session }: Pick<SessionDialogProps, 'session'>) {
  const { customer, accounts } = session;
  const [account] = accounts;
  return (
    <DescriptionList
      items={[
        { label: 'Status', value: SESSION_WORDS[session.status] },
        { label: 'Amount', value: <Amount value={session.amountToPay} className="font-semibold" /> },
        { label: 'Received', value: <Amount value={session.received} /> },
        { label: 'Still to come', value: session.conclusive ? null : <Amount value={session.outstanding} /> },
        { label: 'Too much', value: session.excess === 0 ? null : <Amount value={session.excess} /> },
        { label: 'Payer', value: customer.name },
        { label: 'E-mail', value: customer.email },
        { label: 'Phone', value: customer.phoneNumber },
        { label: 'Reference', value: <Copyable text={session.reference} what="reference" /> },
        { label: 'Opened by', value: OPENED_BY_WORDS[session.openedBy] },
        {
          label: 'To account',
          value: account === undefined ? null : <Copyable text={account.accountNumber} what="account number" />,
        },
        { label: 'Bank', value: account?.bankName ?? null },
        { label: 'Asked for', value: <Moment at={session.createdAt} /> },
        { label: session.conclusive ? 'Ended' : 'Until', value: endOf(session) },
      ].filter(({ value }) => value !== null)}
    />
  );
}

/** When a session ended, or will; null where it was cancelled or failed, since `expiresAt` is not when that was. */
function endOf({ status, conclusive, paidAt, expiresAt }: PaymentSession) {
  if (conclusive && status !== 'PAID' && status !== 'EXPIRED') return null;
  return <Moment at={status === 'PAID' ? paidAt : expiresAt} />;
}

function Payments({ session }: Pick<SessionDialogProps, 'session'>) {
  const { sessionId, received } = session;
  const { data } = useRead(
    '/collection/session/{sessionId}',
    { path: { sessionId } },
    { enabled: received > 0, refetchInterval: LOOK_EVERY_MS },
  );
  const payments = data !== undefined && 'payments' in data ? data.payments : [];
  if (payments.length === 0) return null;
  return (
    <section className="mt-6">
      <h3 className="mb-2 text-sm font-semibold">Payments received</h3>
      <ul className="flex flex-col divide-y">
        {payments.map(({ paymentId, amount, status, note, receivedAt }) => (
          <li key={paymentId} className="flex flex-wrap items-baseline justify-between gap-3 py-2">
            <span>
              <Moment at={receivedAt} />
              {note !== null && <span className="ml-2 text-xs text-warn">{NOTE_WORDS[note]}</span>}
              {status !== 'CREDITED' && <span className="ml-2 text-xs text-warn">{PAYMENT_WORDS[status]}</span>}
            </span>
            <Amount
              value={amount}
              className="font-medium"
              {...(status === 'CREDITED' && { direction: 'in' as const })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function PageLink({ sessionId }: { sessionId: string }) {
  const { data } = useRead('/collection/session/{sessionId}/checkout', { path: { sessionId } });
  if (data === undefined) return null;
  return (
    <section className="mt-6">
      <h3 className="mb-2 text-sm font-semibold">Payment page</h3>
      <Copyable text={data.checkoutUrl} what="link of the payment page" />
      <p className="mt-1 text-xs text-muted">
        Whoever has this link sees the amount and can pay. Give it to the payer alone.
      </p>
    </section>
  );
}
