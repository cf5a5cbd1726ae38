import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { Alert } from '../components/alert.tsx';
import { Button } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { toast } from '../components/toast.tsx';
import { type Onboarding, slugOf } from './step-fields.ts';

/** The end of the way: what is still missing, or the button that hands it over. */
export function SubmitSection({ onboarding }: { onboarding: Onboarding }) {
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
              : 'Everything is there. While the reviewers look at it, nothing here can be changed; the sandbox goes on working.'}
          </p>
        ) : (
          <ul className="flex flex-col gap-1.5">
            {left.map(({ key, title, missing }) => (
              <li key={key}>
                <Link
                  to="/onboarding"
                  search={{ step: slugOf(key) }}
                  resetScroll={false}
                  className="font-medium text-accent underline"
                >
                  {title}
                </Link>
                <span className="text-muted">: {missing.map(({ words }) => words).join(', ')}</span>
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
