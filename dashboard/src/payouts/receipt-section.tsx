import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { ConfirmDialog, Dialog } from '../components/dialog.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Field } from '../components/field.tsx';
import { useServerForm } from '../components/form.tsx';
import { FormDialog } from '../components/form-dialog.tsx';
import { Section } from '../components/page-header.tsx';
import { Select } from '../components/select.tsx';
import { Status } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { formatExactMoment } from '../format/time.ts';

interface ReceiptSectionProps {
  transactionId: string;
  reference: string;
}

/** The receipt of a payout that was paid: as a file, and for others under a link. */
export function ReceiptSection({ transactionId, reference }: ReceiptSectionProps) {
  const mayShare = useMay()('payout:write', useMode());
  const [isSharing, setSharing] = useState(false);
  const [made, setMade] = useState<NewLink>();
  const address = `/transaction/${transactionId}/receipt`;
  return (
    <Section
      title="Receipt"
      about="What the payee got, for the payee. A shared receipt shows the last four digits of the account, and no charges."
      actions={
        <div className="flex flex-wrap gap-2">
          <DownloadButton address={address} fileName={`receipt-${reference}.pdf`}>
            Receipt
          </DownloadButton>
          <DownloadButton address={`${address}?charges=true`} fileName={`receipt-${reference}-with-charges.pdf`}>
            With charges
          </DownloadButton>
          {mayShare && (
            <Button icon={Share2} onClick={() => setSharing(true)}>
              Share
            </Button>
          )}
        </div>
      }
    >
      <Links transactionId={transactionId} mayRevoke={mayShare} />
      {isSharing && (
        <ShareDialog
          transactionId={transactionId}
          onClose={() => setSharing(false)}
          onMade={(link) => {
            setSharing(false);
            setMade(link);
          }}
        />
      )}
      <Dialog
        open={made !== undefined}
        onClose={() => setMade(undefined)}
        title="The link to the receipt"
        description="Copy it now: it is not shown again. Whoever has it sees the receipt."
      >
        {made !== undefined && (
          <>
            <Copyable text={made.url} what="link" />
            <p className="mt-3 text-sm text-muted">
              It works until <Moment at={made.expiresAt} />.
            </p>
          </>
        )}
      </Dialog>
    </Section>
  );
}

type NewLink = Data<'post', '/transaction/{transactionId}/receipt/link'>;
type Link = Data<'get', '/transaction/{transactionId}/receipt/link'>['links'][number];

const PATH = '/transaction/{transactionId}/receipt/link';

function Links({ transactionId, mayRevoke }: { transactionId: string; mayRevoke: boolean }) {
  const links = useRead(PATH, { path: { transactionId } });
  if (links.error !== null) return <p>{messageOf(links.error)}</p>;
  if (links.data === undefined) return <p className="text-muted">Looking for links…</p>;
  if (links.data.links.length === 0) return <p className="text-muted">It was not shared yet.</p>;
  return (
    <ul className="divide-y">
      {links.data.links.map((link) => (
        <li key={link.linkId} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
          <div className="min-w-0">
            <span className="mr-2 wrap-anywhere">
              Link by {link.createdBy}, <Moment at={link.createdAt} />
            </span>
            <Status status={link.status} />
            <span className="block text-xs text-muted">
              <LinkEnd link={link} />
            </span>
          </div>
          {mayRevoke && link.status === 'ACTIVE' && <RevokeButton transactionId={transactionId} link={link} />}
        </li>
      ))}
    </ul>
  );
}

function LinkEnd({ link: { status, expiresAt, revokedAt, revokedBy } }: { link: Link }) {
  if (status !== 'REVOKED') {
    return (
      <>
        {status === 'ACTIVE' ? 'Works until' : 'Worked until'} <Moment at={expiresAt} />
      </>
    );
  }
  return (
    <>
      Revoked by {revokedBy}, <Moment at={revokedAt} />
    </>
  );
}

function RevokeButton({
  transactionId,
  link: { linkId, createdBy, createdAt },
}: {
  transactionId: string;
  link: Link;
}) {
  const [asking, setAsking] = useState(false);
  const revoke = useAction('delete', '/transaction/{transactionId}/receipt/link/{linkId}', { changes: [PATH] });
  const what = `the link by ${createdBy}, ${formatExactMoment(createdAt)}`;

  async function end(): Promise<void> {
    await revoke.run({ path: { transactionId, linkId } });
    toast({ tone: 'good', text: 'The link opens nothing any more.' });
  }
  return (
    <>
      <Button size="small" aria-label={`Revoke ${what}`} onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Revoke this link?"
        confirm="Revoke the link"
        danger
        onConfirm={end}
      >
        <p>Whoever has {what}, sees the receipt no more. This cannot be undone; you can make another link.</p>
      </ConfirmDialog>
    </>
  );
}

const DAYS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
];

interface ShareDialogProps {
  transactionId: string;
  onClose: () => void;
  onMade: (link: NewLink) => void;
}

function ShareDialog({ transactionId, onClose, onMade }: ShareDialogProps) {
  const server = useServerForm<{ expiresInDays: string }>({ defaultValues: { expiresInDays: '30' } });
  const share = useAction('post', PATH, { changes: [PATH] });
  return (
    <FormDialog
      onClose={onClose}
      title="Share this receipt"
      description="Whoever has the link sees the receipt and nothing else. You can revoke it at any time."
      server={server}
      onSend={async ({ expiresInDays }) => {
        onMade(await share.run({ path: { transactionId }, body: { expiresInDays: Number(expiresInDays) } }));
      }}
      send="Make the link"
    >
      <Field form={server.form} name="expiresInDays" label="Works for">
        {(control) => <Select {...control} options={DAYS} />}
      </Field>
    </FormDialog>
  );
}
