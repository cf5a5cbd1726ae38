import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { CopyButton, Moment } from '../components/values.tsx';
import { keyName } from './key-row.ts';

export interface ShownKey {
  key: string;
  name: string;
  kind: 'SECRET' | 'PUBLIC';
  /** Of a rotation: until then the old key works too. */
  oldEndsAt?: string;
}

/** A new key, whole. Neither Escape nor a stray click closes it: it is never shown again. */
export function KeyShownOnce({ made, onClose }: { made: ShownKey; onClose: () => void }) {
  const line = curlLine(made);
  return (
    <Dialog
      open
      kind="wide"
      onClose={onClose}
      locked
      title={`${keyName(made)} is made`}
      actions={
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Alert tone="warn" title="Copy the key now">
          It is shown this once. We keep only a hash of it, so nobody can show it to you again.
        </Alert>
        <Secret what="key" text={made.key} />
        <div>
          <p className="mb-1.5 text-sm font-medium">Try it from a terminal</p>
          <Secret what="command" text={line} />
        </div>
        {made.oldEndsAt !== undefined && (
          <p className="text-muted">
            The old key works until <Moment at={made.oldEndsAt} />. Put the new one in place before then.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function Secret({ text, what }: { text: string; what: string }) {
  return (
    <div className="flex items-start gap-2 rounded-control border bg-sunken px-3 py-2.5">
      <code data-secret={what} className="min-w-0 flex-1 font-mono text-xs break-all whitespace-pre-wrap">
        {text}
      </code>
      <CopyButton text={text} what={what} />
    </div>
  );
}

/** A request that any such key may make, whatever else it was given. */
function curlLine({ key, kind }: ShownKey): string {
  const path = kind === 'PUBLIC' ? '/bank' : '/wallet/merchant';
  return `curl ${location.origin}${path} -H "Authorization: Bearer ${key}"`;
}
