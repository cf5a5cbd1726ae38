import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useMay, useMode } from '../api/session.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { Copyable } from '../components/copy-button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Dialog } from '../components/dialog.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { ASKED_WORDS, amountWords, LINK_WORDS, type PaymentLink, paymentsWords } from './link-words.ts';

interface LinkDialogProps {
  /** As the list has it now. */
  link: PaymentLink;
  onClose: () => void;
}

/** A payment link: its address to give away, what it asks for, and the switch. */
export function LinkDialog({ link, onClose }: LinkDialogProps) {
  const mayWrite = useMay()('collection:write', useMode());
  const { linkId, metadata: _, ...shown } = link;
  return (
    <Dialog
      open
      onClose={onClose}
      kind="wide"
      title={link.title}
      actions={
        <>
          <ButtonLink to="/collections/sessions" search={{ linkId }}>
            See its sessions
          </ButtonLink>
          {mayWrite && <SwitchButton link={link} />}
        </>
      }
    >
      <section className="mb-6">
        <h3 className="mb-2 text-sm font-semibold">Give this to whoever pays</h3>
        <Copyable text={link.url} what="payment link" />
      </section>
      <DescriptionList
        items={[
          { label: 'Status', value: LINK_WORDS[link.status] },
          { label: 'Amount', value: amountWords(link) },
          { label: 'Paid sessions', value: paymentsWords(link) },
          { label: 'About', value: shown.description },
          { label: "Payer's name", value: ASKED_WORDS[shown.payerName] },
          { label: "Payer's e-mail", value: ASKED_WORDS[shown.payerEmail] },
          { label: 'Until', value: shown.expiresAt === null ? null : <Moment at={shown.expiresAt} /> },
          { label: 'Afterwards the payer goes to', value: shown.returnUrl },
          { label: 'Created', value: <Moment at={shown.createdAt} /> },
        ].filter(({ value }) => value !== null)}
      />
    </Dialog>
  );
}

/** A link that is switched on takes payments only where it is neither used up nor expired. */
function switchedOn({ title, status }: PaymentLink): string {
  if (status === 'ACTIVE') return `${title} takes payments again.`;
  return `${title} is switched on, and is still ${LINK_WORDS[status].toLowerCase()}.`;
}

/** Off and on again: nothing is lost by either, so it does not ask. */
export function SwitchButton({ link: { linkId, status, title }, small }: { link: PaymentLink; small?: boolean }) {
  const changes = { changes: ['/collection/link'] };
  const off = useAction('post', '/collection/link/{linkId}/deactivate', changes);
  const on = useAction('post', '/collection/link/{linkId}/activate', changes);
  const isOff = status === 'INACTIVE';

  async function flip(): Promise<void> {
    try {
      const now = await (isOff ? on : off).run({ path: { linkId } });
      toast({ tone: 'good', text: isOff ? switchedOn(now) : `${title} takes no new payments.` });
    } catch (error) {
      toast({ tone: 'bad', text: messageOf(error) });
    }
  }

  return (
    <Button
      size={small === true ? 'small' : 'medium'}
      busy={off.isPending || on.isPending}
      onClick={() => void flip()}
      aria-label={`${isOff ? 'Switch on' : 'Switch off'} ${title}`}
    >
      {isOff ? 'Switch on' : 'Switch off'}
    </Button>
  );
}
