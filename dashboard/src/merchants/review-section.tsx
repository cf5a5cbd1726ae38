import { Alert } from '../components/alert.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { Section } from '../components/page-header.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import type { Step } from '../onboarding/step-fields.ts';
import { wantsChanges } from './decisions.tsx';
import { DocumentList, itemsOf, type ReviewItem } from './documents.tsx';
import type { Merchant } from './merchant.tsx';

/** What a merchant says of itself, as it was filled in, and the papers that prove it. */
export function ReviewSection({ merchant }: { merchant: Merchant }) {
  const { onboarding, merchantId, createdAt } = merchant;
  return (
    <>
      <ReviewState merchant={merchant} />
      {onboarding.steps.map((step) => (
        <Section key={step.key} title={step.title} actions={<StepState step={step} />}>
          {step.key === 'BUSINESS_DOCUMENTS' ? (
            <DocumentList
              merchantId={merchantId}
              documents={onboarding.documents}
              steps={onboarding.steps}
              isAccepted={onboarding.reviewStatus === 'ACCEPTED'}
            />
          ) : (
            <DescriptionList
              items={itemsOf(step).map((item) => ({ label: item.label, value: <Value item={item} /> }))}
            />
          )}
          {step.problems.length > 0 && (
            <ul className="mt-4 text-sm text-warn">
              {step.problems.map(({ code, message }) => (
                <li key={code}>{message}</li>
              ))}
            </ul>
          )}
        </Section>
      ))}
      <p className="text-xs text-muted">
        Merchant {merchantId}, since <Moment at={createdAt} show="day" />
      </p>
    </>
  );
}

/** What the reviewer has to know before the fields. */
function ReviewState({ merchant }: { merchant: Merchant }) {
  const { submittedAt, rejectedReason, hasChanges } = merchant.onboarding;
  return (
    <>
      {submittedAt !== null && (
        <Alert tone="info" title="Waits for your decision" className="mb-6">
          Submitted <Moment at={submittedAt} />.
          {wantsChanges(merchant) &&
            ' It is approved and wants the fields that are marked changed. Until you accept, the old ones stay in force.'}
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

function Value({ item: { value, before } }: { item: ReviewItem }) {
  const now = value === '' ? <span className="text-muted">Not given</span> : value;
  if (before === undefined) return now;
  return (
    <>
      <mark className="rounded-sm bg-warn-soft px-1 text-warn">{now}</mark>
      <span className="block text-xs text-muted">In force: {before === '' ? 'nothing' : before}</span>
    </>
  );
}
