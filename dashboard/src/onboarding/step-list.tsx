import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { cn } from '../components/class-names.ts';
import { Progress } from '../components/states.tsx';
import { type Step, slugOf } from './step-fields.ts';

/** How far it is: each step with what it still lacks. */
export function StepList({ steps, current }: { steps: readonly Step[]; current: Step['key'] }) {
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

function stateOf({ done, missing }: Step): string {
  if (done) return 'Complete';
  return missing.length === 1 ? 'One thing missing' : `${missing.length} things missing`;
}
