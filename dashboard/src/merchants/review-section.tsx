import { lazy, Suspense } from 'react';
import { Alert } from '../components/alert.tsx';
import { Section } from '../components/page-header.tsx';
import { Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import type { Step } from '../onboarding/step-fields.ts';
import { wantsChanges } from './decisions.tsx';
import { FactRows } from './fact-rows.tsx';
import { itemsOf } from './facts.ts';
import type { Merchant } from './merchant.tsx';
import { NameFlags } from './name-flags.tsx';
import { ScreeningFlags } from './screening-flags.tsx';

const DocumentViewer = lazy(() => import('./document-viewer.tsx').then((part) => ({ default: part.DocumentViewer })));
const DecisionHistory = lazy(() => import('./history-section.tsx').then((part) => ({ default: part.DecisionHistory })));

/** What a merchant says of itself, beside the papers that prove it. */
export function ReviewSection({ merchant }: { merchant: Merchant }) {
  const { onboarding, merchantId, createdAt } = merchant;
  const { steps, documents } = onboarding;
  return (
    <>
      <ReviewState merchant={merchant} />
      <div className="grid items-start gap-x-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="min-w-0">
          {steps.map((step) => (
            <Section key={step.key} title={step.title} actions={<StepState step={step} />}>
              <StepFacts step={step} merchant={merchant} />
              <StepProblems step={step} />
            </Section>
          ))}
        </div>
        <div className="mb-8 min-w-0 xl:sticky xl:top-20">
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            <DocumentViewer
              merchantId={merchantId}
              documents={documents}
              steps={steps}
              isAccepted={onboarding.reviewStatus === 'ACCEPTED'}
            />
          </Suspense>
        </div>
      </div>
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        <DecisionHistory merchant={merchant} />
      </Suspense>
      <p className="text-xs text-muted">
        Merchant {merchantId}, since <Moment at={createdAt} show="day" />
      </p>
    </>
  );
}

function StepFacts({ step, merchant }: { step: Step; merchant: Merchant }) {
  if (step.key === 'BUSINESS_DOCUMENTS') {
    const { length } = merchant.onboarding.documents;
    return (
      <p className="text-sm text-muted">{length === 1 ? 'One document' : `${length} documents`}, in the viewer.</p>
    );
  }
  return (
    <>
      <FactRows items={itemsOf(step)} />
      {step.key === 'SETTLEMENT_ACCOUNT' && (
        <div className="mt-4 border-t pt-4">
          <h3 className="mb-1 text-sm font-semibold">Whose account it is</h3>
          <NameFlags flags={merchant.nameFlags} />
          <ScreeningFlags screened={merchant.screening} />
        </div>
      )}
    </>
  );
}

function StepProblems({ step: { problems } }: { step: Step }) {
  if (problems.length === 0) return null;
  return (
    <ul className="mt-4 text-sm text-warn">
      {problems.map(({ code, message }) => (
        <li key={code}>{message}</li>
      ))}
    </ul>
  );
}

/** What the reviewer has to know before the fields. */
function ReviewState({ merchant }: { merchant: Merchant }) {
  const { submittedAt, rejectedReason, hasChanges, changesAccount, confirmedBy } = merchant.onboarding;
  return (
    <>
      {submittedAt !== null && (
        <Alert tone="info" title="Waits for your decision" className="mb-6">
          Submitted <Moment at={submittedAt} />.
          {wantsChanges(merchant) &&
            ' It is approved and wants the fields that are marked changed. Until you accept, the old ones stay in force.'}
        </Alert>
      )}
      {submittedAt !== null && changesAccount && (
        <Alert tone="warn" title="It names another settlement account" className="mb-6">
          {confirmedBy === null
            ? 'Two of your people have to accept it: the first one confirms, and another accepts.'
            : `${confirmedBy} has confirmed it. Another of your people has to accept it.`}
        </Alert>
      )}
      {submittedAt === null && hasChanges && (
        <Alert tone="info" title="It is changing its details" className="mb-6">
          Marked fields are not submitted yet; the accepted details stay in force.
        </Alert>
      )}
      {rejectedReason !== null && (
        <Alert tone="warn" title="Rejected before" className="mb-6">
          {rejectedReason}
        </Alert>
      )}
    </>
  );
}

function StepState({ step: { done, before } }: { step: Step }) {
  if (Object.keys(before).length > 0) return <Badge tone="warn">Changed</Badge>;
  return <Badge tone={done ? 'good' : 'warn'}>{done ? 'Complete' : 'Not complete'}</Badge>;
}
