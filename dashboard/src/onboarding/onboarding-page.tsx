import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, Send } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useRead } from '../api/reads.ts';
import { useMay, useRenewSession, useSession } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { PageHeader, Section } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton, Progress } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { toast } from '../components/toast.tsx';
import { Moment } from '../components/values.tsx';
import { missingOf, missingWords, type Onboarding, type Step, slugOf } from './step-fields.ts';
import { StepPanel } from './steps.tsx';

const LiveReadiness = lazy(() => import('./live-readiness.tsx').then((part) => ({ default: part.LiveReadiness })));

/** How often the page looks whether the reviewers have decided. */
const WAITING_MS = 5_000;

/** The way from a new business to live payouts: what is asked, how far it is, and where the review stands. */
export function OnboardingPage({ step: slug }: { step: string | undefined }) {
  const { data, error, refetch } = useRead(
    '/onboarding',
    {},
    { refetchInterval: ({ state }) => (state.data?.submittedAt == null ? false : WAITING_MS) },
  );
  useSessionAfterApproval(data);
  if (data === undefined) return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />;
  return <Steps onboarding={data} slug={slug} />;
}

/** The switch to live belongs to the session, which learns of an approval from here. */
function useSessionAfterApproval(onboarding: Onboarding | undefined): void {
  const approved = useSession().merchant?.approved === true;
  const renew = useRenewSession();
  const isNews = onboarding?.status === 'ACTIVE' && !approved;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the session is asked once for each change.
  useEffect(() => {
    if (isNews) renew().catch(() => undefined);
  }, [isNews]);
}

function Steps({ onboarding, slug }: { onboarding: Onboarding; slug: string | undefined }) {
  const mayEdit = useMay()('profile:manage', 'LIVE');
  const { steps, canEdit } = onboarding;
  const chosen = steps.find(({ key }) => slugOf(key) === slug);
  // Where one began stays, also when its last document makes it complete.
  const [begunAt] = useState(() => (steps.find(({ done }) => !done) ?? steps[0])?.key);
  const current = chosen ?? steps.find(({ key }) => key === begunAt);
  if (current === undefined) return null;
  return (
    <>
      <PageHeader title="Business profile" beside={<ReviewBadge onboarding={onboarding} />}>
        Five steps, in any order. Each is kept when you save it, so you can stop and come back.
      </PageHeader>
      <ReviewAlert onboarding={onboarding} mayEdit={mayEdit} />
      <div className="grid items-start gap-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <StepList steps={steps} current={current.key} />
        <div className="min-w-0">
          {/* All stay in the page, so that what was typed in one is there after a look at another. */}
          {steps.map((step) => (
            <div key={step.key} hidden={step.key !== current.key}>
              <StepPanel
                onboarding={onboarding}
                step={step}
                open={mayEdit && canEdit}
                next={nextOf(steps, step)}
                current={step.key === current.key}
              />
            </div>
          ))}
          {mayEdit && <SubmitSection onboarding={onboarding} />}
          <Suspense fallback={null}>
            <LiveReadiness />
          </Suspense>
        </div>
      </div>
    </>
  );
}

/** The step to go to after this one: the next that is not complete, if any is left. */
function nextOf(steps: readonly Step[], { key }: Step): Step | undefined {
  const at = steps.findIndex((step) => step.key === key);
  return [...steps.slice(at + 1), ...steps.slice(0, at)].find(({ done }) => !done);
}

function ReviewBadge({ onboarding }: { onboarding: Onboarding }) {
  const { status, reviewStatus, submittedAt } = onboarding;
  if (status === 'SUSPENDED') return <Badge tone="bad">Suspended</Badge>;
  if (submittedAt !== null) return <Badge tone="info">In review</Badge>;
  if (status === 'ACTIVE') return <Badge tone="good">Approved</Badge>;
  return reviewStatus === 'REJECTED' ? <Badge tone="bad">Sent back</Badge> : <Badge tone="quiet">Not submitted</Badge>;
}

/** How far it is: each step with what it still lacks. */
function StepList({ steps, current }: { steps: readonly Step[]; current: Step['key'] }) {
  const done = steps.filter((step) => step.done).length;
  return (
    <nav aria-label="Steps" className="card p-4 lg:sticky lg:top-20">
      <Progress label="Complete" done={done} total={steps.length} text={`${done} of ${steps.length}`} />
      <ol className="mt-3 flex flex-col gap-0.5">
        {steps.map((step) => (
          <li key={step.key}>
            <Link
              to="/onboarding"
              search={{ step: slugOf(step.key) }}
              aria-current={step.key === current ? 'step' : undefined}
              resetScroll={false}
              className={cn(
                'flex items-start gap-2.5 rounded-control px-2.5 py-2 hover:bg-hover',
                step.key === current && 'bg-accent-soft font-medium',
              )}
            >
              {step.done ? (
                <CircleCheck className="mt-0.5 size-4.5 shrink-0 text-good" aria-hidden />
              ) : (
                <CircleDashed className="mt-0.5 size-4.5 shrink-0 text-muted" aria-hidden />
              )}
              <span className="flex flex-1 flex-wrap items-baseline justify-between gap-x-3 lg:block">
                {step.title}
                <span className="text-xs font-normal text-muted lg:block">{stateOf(step)}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function stateOf(step: Step): string {
  if (step.done) return 'Complete';
  const { length } = missingOf(step);
  return length === 1 ? 'One thing missing' : `${length} things missing`;
}

/** The end of the way: what is still missing, or the button that hands it over. */
function SubmitSection({ onboarding }: { onboarding: Onboarding }) {
  const { steps, canEdit, canSubmit, status } = onboarding;
  const submit = useAction('post', '/onboarding/submit', { changes: ['/onboarding', '/merchant/info'] });
  const left = steps.filter(({ done }) => !done);
  if (!canEdit || (status === 'ACTIVE' && !canSubmit)) return null;

  async function send(): Promise<void> {
    try {
      await submit.run({});
      toast({ tone: 'good', text: 'Submitted. What the reviewers decide is shown here.' });
      document.querySelector('h1')?.scrollIntoView({ block: 'end' });
    } catch {
      // Shown below, from the action.
    }
  }

  return (
    <Section title={status === 'ACTIVE' ? 'Submit your changes' : 'Submit for review'}>
      <div className="flex flex-col gap-4">
        {left.length === 0 ? (
          <p>
            {status === 'ACTIVE'
              ? 'What you changed counts after the reviewers accept it. Until then nothing changes for your payouts.'
              : 'Everything is there. While the reviewers look at it, nothing here can be changed; the sandbox keeps working.'}
          </p>
        ) : (
          <ul className="flex flex-col gap-1.5">
            {left.map((step) => (
              <li key={step.key}>
                <Link
                  to="/onboarding"
                  search={{ step: slugOf(step.key) }}
                  resetScroll={false}
                  className="font-medium text-accent underline"
                >
                  {step.title}
                </Link>
                <span className="text-muted">: {missingWords(step)}</span>
              </li>
            ))}
          </ul>
        )}
        {submit.error !== undefined && <Alert tone="bad">{messageOf(submit.error)}</Alert>}
        <Button
          look="primary"
          icon={Send}
          className="self-start"
          disabled={!canSubmit}
          busy={submit.isPending}
          onClick={() => void send()}
        >
          Submit for review
        </Button>
      </div>
    </Section>
  );
}

/** Where the review stands, in words, and how to go on. */
function ReviewAlert({ onboarding, mayEdit }: { onboarding: Onboarding; mayEdit: boolean }) {
  return (
    <div className="mb-6 flex flex-col gap-3">
      <Stand onboarding={onboarding} />
      {!mayEdit && (
        <Alert tone="info">Your role is read-only. An owner or an administrator fills this in and submits it.</Alert>
      )}
    </div>
  );
}

function Stand({ onboarding }: { onboarding: Onboarding }) {
  const { status, submittedAt, rejectedReason, hasChanges, words } = onboarding;
  if (status === 'SUSPENDED') {
    return (
      <Alert tone="bad" title="The account is suspended">
        {words}
      </Alert>
    );
  }
  if (submittedAt !== null) {
    return (
      <Alert tone="info" title="With the reviewers">
        {words} Submitted <Moment at={submittedAt} />.
      </Alert>
    );
  }
  if (rejectedReason !== null) {
    return (
      <Alert tone="bad" title="Sent back by the reviewers">
        <p>“{rejectedReason}”</p>
        <p className="mt-1">Correct what it says, save the step, and submit again. The sandbox keeps working.</p>
      </Alert>
    );
  }
  return <Alert tone={status === 'ACTIVE' && !hasChanges ? 'good' : 'info'}>{words}</Alert>;
}
