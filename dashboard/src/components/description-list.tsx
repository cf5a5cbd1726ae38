import type { ReactNode } from 'react';
import { cn } from './class-names.ts';

export interface DescriptionListProps {
  items: readonly { label: string; value: ReactNode; figure?: boolean }[];
  /** `rows` has values on the right, for money and summaries; `grid` fits detail pages. */
  layout?: 'rows' | 'grid';
}

/** Terms and their values. */
export function DescriptionList({ items, layout = 'grid' }: DescriptionListProps) {
  return (
    <dl
      className={cn(
        layout === 'grid' ? 'grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3' : 'flex flex-col divide-y',
      )}
    >
      {items.map(({ label, value, figure }) => (
        <div
          key={label}
          className={cn('min-w-0', layout === 'rows' && 'flex items-baseline justify-between gap-6 py-2')}
        >
          <dt className={cn('text-muted', layout === 'grid' && 'text-xs')}>{label}</dt>
          <dd
            className={cn(
              'min-w-0 break-words',
              layout === 'rows' && 'text-right has-[>.figures]:shrink-0',
              figure === true && 'figures shrink-0',
            )}
          >
            {value ?? '–'}
          </dd>
        </div>
      ))}
    </dl>
  );
}
