import type { LinkProps } from '@tanstack/react-router';
import { CircleCheck, CircleDashed, Clock } from 'lucide-react';
import { nowDate } from '../api/clock.ts';
import { ButtonLink } from '../components/button.tsx';
import { Section } from '../components/page-header.tsx';
import { Progress } from '../components/states.tsx';
import { Moment } from '../components/values.tsx';
import { formatDistance } from '../format/time.ts';
import type { Home } from './needs.ts';

type SetUp = NonNullable<Home['setUp']>;
type Step = SetUp['steps'][number];

const LIVE = (before: object) => ({ ...before, mode: 'live' as const });

const STEPS: Record<Step['key'], { title: string; text: string; go: string; link: LinkProps }> = {
  PROFILE: {
    title: 'Fill in and submit your business profile',
    text: 'Business, director, documents and settlement account.',
    go: 'Continue',
    link: { to: '/onboarding' },
  },
  REVIEW: {
    title: 'Wait for the review',
    text: 'The operator looks at your profile. The sandbox is open meanwhile.',
    go: 'See where it stands',
    link: { to: '/onboarding' },
  },
  ADD_MONEY: {
    title: 'Add money',
    text: 'Pay to your account number from any bank.',
    go: 'See the account number',
    link: { to: '/wallet', search: LIVE },
  },
  PIN: {
    title: 'Set the live PIN',
    text: 'It is asked for whenever money leaves.',
    go: 'Set the PIN',
    link: { to: '/settings/pin', search: LIVE },
  },
  PEOPLE: {
    title: 'Invite a second person',
    text: 'So that one person pays and another approves.',
    go: 'Invite somebody',
    link: { to: '/settings/people' },
  },
  FIRST_PAYOUT: {
    title: 'Make your first live payout',
    text: 'A small one, to an account of your own.',
    go: 'New payout',
    link: { to: '/payouts/new', search: LIVE },
  },
};

/** The way from the sign-up to the first live payout: it stays until all of it is done. */
export function SetUpSection({ setUp }: { setUp: SetUp }) {
  const { steps } = setUp;
  const done = steps.filter((step) => step.done).length;
  const isApproved = steps.some(({ key, done: isDone }) => key === 'REVIEW' && isDone);
  const next = steps.find((step) => !step.done)?.key;
  return (
    <Section title="Get ready for live money" bare>
      <div className="card">
        <div className="px-4 pt-4 sm:px-5">
          <Progress label="Set up" done={done} total={steps.length} text={`${done} of ${steps.length} done`} />
        </div>
        <ol className="mt-2 divide-y">
          {steps.map((step) => (
            <StepRow key={step.key} step={step} setUp={setUp} isNext={step.key === next} isApproved={isApproved} />
          ))}
        </ol>
      </div>
    </Section>
  );
}

interface StepRowProps {
  step: Step;
  setUp: SetUp;
  isNext: boolean;
  isApproved: boolean;
}

/** Live mode opens with the approval: what is done there has no link before. */
const NEEDS_LIVE: ReadonlySet<Step['key']> = new Set(['ADD_MONEY', 'PIN', 'FIRST_PAYOUT']);

function StepRow({ step: { key, done, problems }, setUp, isNext, isApproved }: StepRowProps) {
  const { title, text, go, link } = STEPS[key];
  const waits = problems.some(({ waitsFor }) => waitsFor !== 'MERCHANT');
  const Icon = done ? CircleCheck : waits ? Clock : CircleDashed;
  const tone = done ? 'text-good' : waits ? 'text-warn' : 'text-muted';
  const isOpen = !done && (isApproved || !NEEDS_LIVE.has(key)) && (key !== 'REVIEW' || setUp.submittedAt !== null);
  return (
    <li
      className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5"
      aria-current={isNext ? 'step' : undefined}
    >
      <Icon className={`size-5 shrink-0 ${tone}`} aria-hidden />
      <div className="min-w-48 flex-1">
        <p className={done ? 'text-muted' : 'font-medium'}>
          {title}
          <span className="sr-only">{done ? ': done' : ': to do'}</span>
        </p>
        {!done && (
          <p className="text-xs text-muted">
            {key === 'REVIEW' ? <ReviewWords setUp={setUp} otherwise={text} /> : text}
          </p>
        )}
        {problems.map(({ code, message, waitsFor }) => (
          <p key={code} className="mt-1 text-xs text-warn">
            {message} {WAITS[waitsFor] ?? ''}
          </p>
        ))}
      </div>
      {isOpen && (
        <ButtonLink {...link} size="small" look={isNext ? 'primary' : undefined} aria-label={`${go}: ${title}`}>
          {go}
        </ButtonLink>
      )}
    </li>
  );
}

const WAITS: Record<string, string> = {
  OPERATOR: 'Your operator has to do this; it sees that you wait.',
  SERVICE: 'This happens by itself.',
};

function ReviewWords({ setUp: { submittedAt, rejectedReason }, otherwise }: { setUp: SetUp; otherwise: string }) {
  if (rejectedReason !== null) return <span className="text-warn">It was sent back: {rejectedReason}</span>;
  if (submittedAt === null) return otherwise;
  return (
    <>
      In review since <Moment at={submittedAt} /> ({formatDistance(submittedAt, nowDate())}). The sandbox is open
      meanwhile.
    </>
  );
}
