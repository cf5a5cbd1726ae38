import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { messageOf } from '../api/errors.ts';
import { useMay } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { toast } from '../components/toast.tsx';

/** Where the reference looks for the key; it takes it out at once. */
const HANDED_OVER = 'manilla.reference-key';

/** The guides and the API reference of this installation. */
export function ReferenceLinks() {
  return (
    <>
      <a className="text-accent underline" href="/docs/guides" target="_blank" rel="noreferrer">
        Guides
      </a>
      <ReferenceButton />
    </>
  );
}

/** Opens the API reference with a sandbox key of a day filled in: the requests there can be sent at once. */
function ReferenceButton() {
  const mayTry = useMay()('payout:read', 'SANDBOX');
  const [busy, setBusy] = useState(false);

  async function open(): Promise<void> {
    // Opened before the key is there: a page that opens later counts as a pop-up.
    const page = window.open('', '_blank');
    setBusy(true);
    try {
      const { key } = await call('post', '/key/reference', {}, { mode: 'SANDBOX' });
      localStorage.setItem(HANDED_OVER, key);
    } catch (error) {
      toast({ tone: 'warn', text: `The reference opens without a key. ${messageOf(error)}` });
    } finally {
      setBusy(false);
    }
    if (page === null) location.assign('/docs');
    else page.location.replace('/docs');
  }

  if (!mayTry) {
    return (
      <a className="text-accent underline" href="/docs" target="_blank" rel="noreferrer">
        API reference
      </a>
    );
  }
  return (
    <Button
      icon={BookOpen}
      busy={busy}
      onClick={() => void open()}
      title="Opens in a new tab with a sandbox key that lasts a day"
    >
      API reference
    </Button>
  );
}
