import type { ReactNode } from 'react';
import { cn } from '../components/class-names.ts';
import { Amount } from '../components/values.tsx';

export interface Figure {
  label: string;
  /** Undefined while it is being read. */
  value: number | undefined;
  /** What the figure means, in a few words. */
  about: ReactNode;
}

/** Balances side by side, on a phone one under the other; the first is the one that people look for. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="mb-8 grid gap-2 sm:auto-cols-fr sm:gap-4 lg:grid-flow-col">
      {figures.map(({ label, value, about }, at) => (
        <div
          key={label}
          className={cn(
            'card flex min-w-0 flex-wrap items-baseline justify-between gap-x-4 px-4 py-3 lg:block lg:py-4',
            at === 0 && 'border-l-4 border-l-accent pl-3.25',
          )}
        >
          <dt className="text-xs font-medium text-muted">{label}</dt>
          <dd className={cn('lg:mt-1', at === 0 ? 'text-xl font-semibold' : 'text-lg font-medium')}>
            {value === undefined ? <Awaited /> : <Amount value={value} />}
          </dd>
          <dd className="w-full text-xs text-muted lg:mt-0.5">{about}</dd>
        </div>
      ))}
    </dl>
  );
}

/** As high as the figure that comes, and on the same line as its label. */
function Awaited() {
  return (
    <span aria-hidden className="shimmer inline-block w-32 rounded-md">
      &nbsp;
    </span>
  );
}
