import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { cn } from './class-names.ts';

export interface TabsProps {
  label: string;
  tabs: readonly (LinkProps & { label: string; count?: number })[];
}

/** Parts of a page, each with an address of its own: a tab is a link, so it can be shared and gone back to. */
export function Tabs({ label, tabs }: TabsProps) {
  const bar = useRef<HTMLElement>(null);
  const { href } = useLocation();
  // On a phone the row scrolls: the tab that one is on is brought into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is looked for again because one has gone somewhere.
  useEffect(() => {
    bar.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [href]);
  return (
    <nav ref={bar} aria-label={label} className="-mx-1 overflow-x-auto border-b">
      <ul className="flex gap-1 px-1">
        {tabs.map(({ label: name, count, ...link }) => (
          <li key={name}>
            <Link
              activeOptions={{ exact: true, includeSearch: 'search' in link }}
              {...link}
              className={cn(
                'inline-flex min-h-10 items-center gap-2 border-b-2 border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted hover:text-ink',
                'aria-[current=page]:border-accent aria-[current=page]:text-ink',
              )}
            >
              {name}
              {count !== undefined && (
                <span className="figures rounded-full bg-sunken px-1.5 text-2xs text-ink">{count}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
