import { useState } from 'react';
import { useAction } from '../api/action.ts';
import { Button, ButtonLink } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Section } from '../components/page-header.tsx';
import { toast } from '../components/toast.tsx';
import { Amount } from '../components/values.tsx';
import type { Merchant } from './merchant.ts';

type Limit = Merchant['limits'][number];

/** How much a merchant may pay out in each mode, by limits of its own or by those of all. */
export function LimitsInForce({ merchant }: { merchant: Merchant }) {
  const [ending, setEnding] = useState<Limit>();
  return (
    <Section
      title="Limits in force"
      actions={
        <ButtonLink to="/operator/limits" search={{ merchantId: merchant.merchantId }} size="small">
          See and set limits
        </ButtonLink>
      }
    >
      <div className="grid gap-6 sm:grid-cols-2">
        {merchant.limits.map((limit) => (
          <OneMode key={limit.mode} limit={limit} onEnd={() => setEnding(limit)} />
        ))}
      </div>
      {ending !== undefined && (
        <EndLimitDialog merchant={merchant} mode={ending.mode} onClose={() => setEnding(undefined)} />
      )}
    </Section>
  );
}

function OneMode({ limit: { mode, perPayout, perDay, isOwn }, onEnd }: { limit: Limit; onEnd: () => void }) {
  const word = mode === 'LIVE' ? 'Live' : 'Sandbox';
  return (
    <div>
      <div className="mb-1 flex min-h-8 flex-wrap items-center justify-between gap-2">
        <p className="font-medium">
          {word} <span className="font-normal text-muted">({isOwn ? 'its own' : 'as all merchants'})</span>
        </p>
        {isOwn && (
          <Button size="small" onClick={onEnd} aria-label={`End its own limits, ${word.toLowerCase()}`}>
            End
          </Button>
        )}
      </div>
      <DescriptionList
        layout="rows"
        items={[
          { label: 'A payout', value: perPayout === null ? 'No limit' : <Amount value={perPayout} /> },
          { label: 'A day', value: perDay === null ? 'No limit' : <Amount value={perDay} /> },
        ]}
      />
    </div>
  );
}

interface EndLimitDialogProps {
  merchant: Merchant;
  mode: Limit['mode'];
  onClose: () => void;
}

function EndLimitDialog({ merchant: { merchantId, businessName }, mode, onClose }: EndLimitDialogProps) {
  const end = useAction('post', '/operator/limit/end', { changes: ['/operator'] });
  async function go(): Promise<void> {
    await end.run({ body: { merchantId, mode } });
    toast({ tone: 'good', text: `The limits of all merchants hold for ${businessName}.` });
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`End the limits of ${businessName}?`}
      confirm="End its own limits"
      onConfirm={go}
    >
      <p>
        {mode === 'LIVE' ? 'Live' : 'In the sandbox'}, the limits of all merchants hold for it again, within a minute
        everywhere. What was in force stays on record.
      </p>
    </ConfirmDialog>
  );
}
