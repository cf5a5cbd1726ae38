import { Link } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Status } from '../components/status.tsx';
import { Amount, Moment } from '../components/values.tsx';
import { disputeStatus } from './dispute-words.ts';
import type { InboundPayment } from './payment-words.ts';

const SandboxDisputeDialog = lazy(() =>
  import('./sandbox-dispute-dialog.tsx').then((part) => ({ default: part.SandboxDisputeDialog })),
);

const LOOK_EVERY_MS = 5_000;

/** What the payer's bank wants back of a payment; in the sandbox, the way to have it do so. */
export function PaymentDisputes({ payment }: { payment: InboundPayment }) {
  const mode = useMode();
  const mayDispute = useMay()('sandbox:write', mode) && mode === 'SANDBOX';
  const [isOpen, setOpen] = useState(false);
  const { data } = useRead(
    '/collection/dispute',
    { query: { paymentId: payment.paymentId } },
    { refetchInterval: LOOK_EVERY_MS },
  );
  const disputes = data?.records ?? [];
  if (disputes.length === 0 && !mayDispute) return null;
  return (
    <section className="mt-4" aria-label="Disputes">
      {disputes.length > 0 && (
        <ul className="divide-y divide-line">
          {disputes.map((dispute) => (
            <li key={dispute.disputeId} className="flex flex-wrap items-center justify-between gap-2 py-2">
              <span>
                <Link
                  to="/collections/disputes/$disputeId"
                  params={{ disputeId: dispute.disputeId }}
                  className="text-accent underline"
                >
                  Dispute of <Amount value={dispute.amount} className="font-semibold" />
                </Link>
                <span className="block text-xs text-muted">
                  <Moment at={dispute.openedAt} />
                </span>
              </span>
              <Status {...disputeStatus(dispute)} />
            </li>
          ))}
        </ul>
      )}
      {mayDispute && (
        <Button className="mt-2" icon={FlaskConical} onClick={() => setOpen(true)}>
          Dispute it as the payer’s bank
        </Button>
      )}
      <Suspense>{isOpen && <SandboxDisputeDialog payment={payment} onClose={() => setOpen(false)} />}</Suspense>
    </section>
  );
}
