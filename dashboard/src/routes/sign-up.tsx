import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { SignUpForm } from '../sign-in/account-forms.tsx';
import { MailSent } from '../sign-in/mails.tsx';
import { PlainPage } from '../sign-in/plain-page.tsx';

export const Route = createFileRoute('/sign-up')({ component: SignUpPage });

function SignUpPage() {
  const [sentTo, setSentTo] = useState<string>();
  return (
    <PlainPage
      title="Open an account"
      about={
        sentTo === undefined &&
        'The sandbox is yours at once, with play money. Live opens when we have looked at your documents.'
      }
      foot={
        <p>
          Already here?{' '}
          <Link to="/sign-in" className="font-medium text-accent underline">
            Sign in
          </Link>
        </p>
      }
    >
      {/* Stays in the page, so that a mistyped address can be corrected. */}
      <div hidden={sentTo !== undefined}>
        <SignUpForm onSent={setSentTo} />
      </div>
      {sentTo !== undefined && <MailSent email={sentTo} what="a link to go on" onBack={() => setSentTo(undefined)} />}
    </PlainPage>
  );
}
