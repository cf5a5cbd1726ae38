import type { LinkProps } from '@tanstack/react-router';
import { CircleCheck, type LucideIcon } from 'lucide-react';
import { ButtonLink } from './button.tsx';
import { Section } from './page-header.tsx';
import { ErrorState, Skeleton } from './states.tsx';

/** Something that waits for the person who is signed in. */
export interface Need {
  key: string;
  icon: LucideIcon;
  title: string;
  text: string;
  /** The word on the link, and where it goes. */
  go: string;
  link: LinkProps;
}

export interface NeedsListProps {
  /** The most urgent first. */
  needs: readonly Need[];
  /** They are shown all at once: a row that comes in later would move the others under somebody's finger. */
  isLoading: boolean;
  error: unknown;
  onRetry: () => unknown;
}

/** What waits for somebody, each with the one thing to do about it. */
export function NeedsList({ needs, isLoading, error, onRetry }: NeedsListProps) {
  return (
    <Section title="What needs you" bare>
      <div className="card divide-y">
        {!isLoading && needs.map((need) => <NeedRow key={need.key} need={need} />)}
        {(isLoading || (needs.length === 0 && error == null)) && (
          <div className="flex min-h-16 items-center gap-3 px-4 py-3 text-muted sm:px-5">
            {isLoading ? (
              <Skeleton className="w-64" />
            ) : (
              <>
                <CircleCheck className="size-5 shrink-0 text-good" aria-hidden />
                Nothing waits for you.
              </>
            )}
          </div>
        )}
        {error != null && (
          <div className="p-3">
            <ErrorState error={error} onRetry={onRetry} />
          </div>
        )}
      </div>
    </Section>
  );
}

function NeedRow({ need: { icon: Icon, title, text, go, link } }: { need: Need }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-warn-soft text-warn">
        <Icon className="size-4.5" aria-hidden />
      </span>
      <div className="min-w-48 flex-1">
        <p className="font-medium">{title}</p>
        <p className="text-xs text-muted">{text}</p>
      </div>
      <ButtonLink {...link} size="small" aria-label={`${go}: ${title}`}>
        {go}
      </ButtonLink>
    </div>
  );
}
