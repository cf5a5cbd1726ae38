import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { ListPage } from '../components/list-page.tsx';
import { EmptyState } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { ReferenceLinks } from '../developers/reference-button.tsx';
import { ChangeKeyDialog } from './change-key-dialog.tsx';
import { keyColumns } from './key-columns.tsx';
import { type KeyRow, keyName } from './key-row.ts';
import { MakeKeyDialog } from './make-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

type Doing = { what: 'ROTATE' | 'CHANGE' | 'REVOKE'; row: KeyRow };

/** The API keys of the mode that the page is in. */
export function KeysPage() {
  const mode = useMode();
  const mayManage = useMay()('key:manage', mode);
  const keys = useRead('/key', {});
  const [making, setMaking] = useState(false);
  const [doing, setDoing] = useState<Doing>();
  const makeButton = mayManage && (
    <Button look="primary" icon={Plus} onClick={() => setMaking(true)}>
      New key
    </Button>
  );
  const due = keys.data?.filter(({ rotationDue }) => rotationDue).length ?? 0;

  return (
    <ListPage
      title="API keys"
      actions={
        <>
          <ReferenceLinks />
          {makeButton}
        </>
      }
      about={
        mode === 'LIVE'
          ? 'Your programs use these to move real money. Keep secret keys on your server, never in a page or an app.'
          : 'Your programs use these to try everything with play money. Live keys are separate.'
      }
      intro={
        due > 0 && (
          <Alert
            tone="warn"
            className="mb-4"
            title={due === 1 ? 'One key is older than 90 days' : `${due} keys are older than 90 days`}
          >
            Rotate it: the new key and the old one work side by side until you have changed over.
          </Alert>
        )
      }
      columns={keyColumns(mayManage ? (what, row) => setDoing({ what, row }) : undefined)}
      rowKey={({ keyId }) => keyId}
      rows={keys.data}
      list={{ data: undefined, error: keys.error, refetch: keys.refetch }}
      empty={
        <EmptyState icon={KeyRound} title="No keys yet" action={makeButton}>
          A key lets your own program do what you do here. Make a secret key, keep it on your server, and send it with
          each request.
        </EmptyState>
      }
    >
      <MakeKeyDialog open={making} onClose={() => setMaking(false)} />
      <KeyDialogs doing={doing} onClose={() => setDoing(undefined)} />
    </ListPage>
  );
}

function KeyDialogs({ doing, onClose }: { doing: Doing | undefined; onClose: () => void }) {
  const revoke = useAction('post', '/key/{keyId}/revoke', { changes: ['/key'] });
  const rowOf = (what: Doing['what']) => (doing?.what === what ? doing.row : undefined);
  const ending = rowOf('REVOKE');
  return (
    <>
      <RotateKeyDialog row={rowOf('ROTATE')} onClose={onClose} />
      <ChangeKeyDialog row={rowOf('CHANGE')} onClose={onClose} />
      <ConfirmDialog
        open={ending !== undefined}
        onClose={onClose}
        title={`Revoke ${ending === undefined ? 'the key' : keyName(ending)}?`}
        confirm="Revoke key"
        danger
        onConfirm={async () => {
          if (ending === undefined) return;
          await revoke.run({ path: { keyId: ending.keyId } });
          toast({ tone: 'good', text: `${keyName(ending)} is revoked.` });
        }}
      >
        <p>
          Every program that uses{' '}
          <span className="font-mono">
            {ending?.prefix}…{ending?.lastFour}
          </span>{' '}
          is refused within two seconds. This cannot be taken back. If a program still needs a key, rotate it instead.
        </p>
      </ConfirmDialog>
    </>
  );
}
