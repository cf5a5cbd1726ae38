import { Eye, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { useRead } from '../api/reads.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Section } from '../components/page-header.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { toast } from '../components/toast.tsx';
import { Copyable, Moment } from '../components/values.tsx';

/** The secret that signs what is sent. It is read only when somebody asks to see it. */
export function SecretSection({ mayChange }: { mayChange: boolean }) {
  const [shown, setShown] = useState(false);
  const [asking, setAsking] = useState(false);
  const rotate = useAction('post', '/webhook/secret/rotate', { changes: ['/webhook/secret'] });
  return (
    <Section title="Signing secret" about="Check the signature of each call with it: only then is it from us.">
      <div className="flex min-h-16 flex-col gap-4">
        {shown ? <Secret /> : <p className="font-mono text-xs tracking-wider text-muted">whsec_••••••••••••••••••••</p>}
        <div className="flex flex-wrap gap-2">
          {!shown && (
            <Button size="small" icon={Eye} onClick={() => setShown(true)}>
              Show the secret
            </Button>
          )}
          {mayChange && (
            <Button size="small" icon={RefreshCw} onClick={() => setAsking(true)}>
              Rotate
            </Button>
          )}
        </div>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Rotate the signing secret?"
        confirm="Rotate secret"
        onConfirm={async () => {
          await rotate.run({});
          setShown(true);
          toast({ tone: 'good', text: 'There is a new secret. Put it into your receiver.' });
        }}
      >
        <p>
          Each call is then signed with the new secret and, for 24 hours, with the old one as well. Put the new one into
          your receiver within that time.
        </p>
      </ConfirmDialog>
    </Section>
  );
}

function Secret() {
  const { data, error, refetch } = useRead('/webhook/secret', {}, { staleTime: 0, gcTime: 0 });
  if (data === undefined) {
    return error === null ? <Skeleton className="h-10 w-full" /> : <ErrorState error={error} onRetry={refetch} />;
  }
  return (
    <div className="flex flex-col gap-1.5">
      <Copyable text={data.secret} what="secret" />
      <p className="text-xs text-muted">
        Made <Moment at={data.createdAt} />.
        {data.previousExpiresAt !== null && (
          <>
            {' '}
            The one before signs along until <Moment at={data.previousExpiresAt} />.
          </>
        )}
      </p>
    </div>
  );
}
