import { Alert } from '../components/alert.tsx';
import { Moment } from '../components/values.tsx';
import type { Onboarding } from './step-fields.ts';

/** Where the review stands, in words, and how to go on. */
export function ReviewNotice({ onboarding, mayEdit }: { onboarding: Onboarding; mayEdit: boolean }) {
  return (
    <div className="mb-6 flex flex-col gap-3">
      <Stand onboarding={onboarding} />
      {!mayEdit && (
        <Alert tone="info">Your role looks only. An owner or an administrator fills this in and submits it.</Alert>
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
        <p className="mt-1">
          Correct what it says, save the step, and submit again. The sandbox goes on working meanwhile.
        </p>
      </Alert>
    );
  }
  return <Alert tone={status === 'ACTIVE' && !hasChanges ? 'good' : 'info'}>{words}</Alert>;
}
