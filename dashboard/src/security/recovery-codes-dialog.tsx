import { Download } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { CopyButton } from '../components/values.tsx';

/** Recovery codes, shown once. Neither Escape nor a stray click closes it. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[] | undefined; onClose: () => void }) {
  const { person } = useSession();
  if (codes === undefined) return null;
  const text = `Manilla recovery codes of ${person.email}\nEach signs in once, in place of a code of the app.\n\n${codes.join('\n')}\n`;
  return (
    <Dialog
      open
      locked
      onClose={onClose}
      title="Your recovery codes"
      actions={
        <Button look="primary" onClick={onClose}>
          I have kept them
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Alert tone="warn" title="Keep these now">
          They are shown this once. Without your phone and without a code, nobody can let you in but a colleague who
          removes you and invites you again.
        </Alert>
        <ul
          aria-label="Recovery codes"
          className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-control border bg-sunken p-4 font-mono"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className="flex flex-wrap items-center gap-2">
          <Button icon={Download} onClick={() => save(text)}>
            Download as a file
          </Button>
          <CopyButton text={codes.join('\n')} what="recovery codes" />
        </div>
      </div>
    </Dialog>
  );
}

function save(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'manilla-recovery-codes.txt';
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
