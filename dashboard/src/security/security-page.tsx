import { useSession } from '../api/session.ts';
import { PageHeader } from '../components/page-header.tsx';
import { PasswordSection } from './password-section.tsx';
import { SecondFactorSection } from './second-factor-section.tsx';
import { SessionsSection } from './sessions-section.tsx';

/** How a person signs in, and where they are signed in: for merchants' people and the operator's alike. */
export function SecurityPage() {
  const { person } = useSession();
  return (
    <>
      <PageHeader title="Your sign-in and sessions">You sign in as {person.email}.</PageHeader>
      <div className="grid items-start gap-x-6 lg:grid-cols-2">
        <PasswordSection />
        <SecondFactorSection />
      </div>
      <SessionsSection />
    </>
  );
}
