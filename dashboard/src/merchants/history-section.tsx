import { useState } from 'react';
import { useRead } from '../api/reads.ts';
import type { Data } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Section } from '../components/page-header.tsx';
import { ErrorState, Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { SupportViewState } from '../components/support-view-state.tsx';
import { Timeline } from '../components/timeline.tsx';
import { formatMoment } from '../format/time.ts';
import { labelOf, titleOfKind } from './facts.ts';
import type { Merchant } from './merchant.tsx';

type Change = Merchant['history'][number];

const WORDS: Record<string, { title: string; tone: 'good' | 'bad' | 'warn' | 'info' }> = {
  submit: { title: 'Submitted', tone: 'info' },
  'submit-changes': { title: 'Changes submitted', tone: 'info' },
  'confirm-changes': { title: 'Changes confirmed by the first of two', tone: 'info' },
  'accept-changes': { title: 'Changes accepted', tone: 'good' },
  'reject-changes': { title: 'Changes rejected', tone: 'warn' },
  approve: { title: 'Approved', tone: 'good' },
  reject: { title: 'Rejected', tone: 'warn' },
  suspend: { title: 'Suspended', tone: 'bad' },
  reinstate: { title: 'Reinstated', tone: 'good' },
};

const titleOf = ({ action, actor }: Change) => `${WORDS[action]?.title ?? action} by ${actor}`;

/** What a merchant asked for and what was decided, by whom, why, and about which version of its facts. */
export function DecisionHistory({ merchant }: { merchant: Merchant }) {
  const [open, setOpen] = useState<Change>();
  const { history } = merchant;
  return (
    <Section title="What happened">
      {history.length === 0 ? (
        <p className="text-muted">Nothing yet.</p>
      ) : (
        <Timeline
          entries={history.map((change) => ({
            key: change.changeId,
            at: change.at,
            title: titleOf(change),
            tone: WORDS[change.action]?.tone ?? 'info',
            detail: <Detail change={change} onOpen={() => setOpen(change)} />,
          }))}
        />
      )}
      {open !== undefined && <FactsDialog merchant={merchant} change={open} onClose={() => setOpen(undefined)} />}
    </Section>
  );
}

function Detail({ change: { reason, version, at }, onOpen }: { change: Change; onOpen: () => void }) {
  return (
    <>
      {reason}
      {version !== null && (
        <p>
          <Button
            size="small"
            look="quiet"
            className="-ml-2.5"
            aria-label={`Version ${version} of the facts, as of ${formatMoment(at)}`}
            onClick={onOpen}
          >
            Version {version} of the facts
          </Button>
        </p>
      )}
    </>
  );
}

interface FactsDialogProps {
  merchant: Merchant;
  change: Change;
  onClose: () => void;
}

/** What the merchant said of itself then, with what it says today where that is something else. */
function FactsDialog({ merchant, change, onClose }: FactsDialogProps) {
  const { merchantId } = merchant;
  const { changeId, version } = change;
  const { data, error, refetch } = useRead('/operator/merchant/{merchantId}/history/{changeId}', {
    path: { merchantId, changeId },
  });
  return (
    <Dialog
      open
      kind="side"
      onClose={onClose}
      title={`Version ${version} of the facts`}
      description={`${titleOf(change)}, ${formatMoment(change.at)}`}
    >
      {data === undefined &&
        (error === null ? <Skeleton className="h-80 w-full" /> : <ErrorState error={error} onRetry={refetch} />)}
      {data !== undefined && <Facts facts={data} merchant={merchant} />}
    </Dialog>
  );
}

interface FactsProps {
  facts: Data<'get', '/operator/merchant/{merchantId}/history/{changeId}'>;
  merchant: Merchant;
}

function Facts({ facts, merchant }: FactsProps) {
  const today = new Map(merchant.onboarding.steps.map(({ key, values }) => [String(key), values]));
  const items = Object.entries(facts.steps)
    .filter(([step]) => step !== 'BUSINESS_DOCUMENTS')
    .flatMap(([step, values]) =>
      Object.entries(values)
        .filter(([field, value]) => value !== '' || (today.get(step)?.[field] ?? '') !== '')
        .map(([field, value]) => ({
          label: labelOf(field),
          value: <Then value={value} now={today.get(step)?.[field]} />,
        })),
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys.
    <section tabIndex={0} aria-label="The facts of then">
      <DescriptionList layout="rows" items={items} />
      <h3 className="mt-6 mb-2 font-semibold">Documents</h3>
      <ul className="text-sm">
        {facts.documents.map(({ documentId, kind, fileName }) => (
          <li key={documentId}>
            {titleOfKind(kind, fileName)}: <span className="wrap-anywhere text-muted">{fileName}</span>
          </li>
        ))}
        {facts.documents.length === 0 && <li className="text-muted">None.</li>}
      </ul>
    </section>
  );
}

function Then({ value, now }: { value: string; now: string | undefined }) {
  const then = value === '' ? <span className="text-muted">Not given</span> : value;
  if (now === undefined || now === value) return then;
  return (
    <>
      <mark className="rounded-sm bg-warn-soft px-1 text-warn">{then}</mark>
      <span className="block text-xs text-muted">Today: {now === '' ? 'nothing' : now}</span>
    </>
  );
}

/** Who of the operator's staff looked at the merchant's own pages. */
export function SupportViewsSection({ merchantId }: { merchantId: string }) {
  const { data } = useRead('/operator/merchant/{merchantId}/support-view', { path: { merchantId } });
  return (
    <Section title="Support views" about="Who looked at its pages, the last 50 times. The merchant sees the same.">
      {data === undefined || data.length === 0 ? (
        <p className="text-muted">{data === undefined ? 'Being read.' : 'Nobody has looked.'}</p>
      ) : (
        <Timeline
          entries={data.map((view) => ({
            key: view.supportViewId,
            at: view.openedAt,
            tone: view.isOpen ? ('warn' as const) : ('quiet' as const),
            title: (
              <span className="flex flex-wrap items-center gap-2">
                {view.by}{' '}
                <Badge tone="quiet" plain>
                  {view.mode === 'LIVE' ? 'Live' : 'Sandbox'}
                </Badge>
                <SupportViewState view={view} />
              </span>
            ),
            detail: view.reason,
          }))}
        />
      )}
    </Section>
  );
}
