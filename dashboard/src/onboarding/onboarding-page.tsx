import { useEffect, useState } from 'react';
import { useRead } from '../api/reads.ts';
import { useMay, useRenewSession, useSession } from '../api/session.ts';
import { PageHeader } from '../components/page-header.tsx';
import { ErrorState, PageSkeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { ReviewNotice } from './review-notice.tsx';
import { type Onboarding, type Step, slugOf } from './step-fields.ts';
import { StepList } from './step-list.tsx';
import { StepPanel } from './step-panel.tsx';
import { SubmitSection } from './submit-section.tsx';

/** How often the page looks whether the reviewers have decided. */
const WAITING_MS = 5_000;

/** The way from a new business to live payouts: what is asked, how far it is, and where the review stands. */
export function OnboardingPage({ step: slug }: { step: string | undefined }) {
  const { data, error, refetch } = useRead(
    '/onboarding',
    {},
    { refetchInterval: ({ state }) => (state.data?.submittedAt == null ? false : WAITING_MS) },
  );
  useApprovalNoticed(data);
  if (data === undefined) return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={refetch} />;
  return <Steps onboarding={data} slug={slug} />;
}

/** The switch to live belongs to the session, which learns of an approval from here. */
function useApprovalNoticed(onboarding: Onboarding | undefined): void {
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
      <ReviewNotice onboarding={onboarding} mayEdit={mayEdit} />
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
