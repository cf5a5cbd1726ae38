import { Link, useLocation } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { IconButton } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { Dialog } from '../components/dialog.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Logo } from './logo.tsx';
import type { NavigationGroup } from './navigation.ts';
import { useSearchKey } from './search-key.ts';

export interface ShellProps {
  /** The organization that one is in: the business or the operator. */
  name: string;
  groups: readonly NavigationGroup[];
  /** Above everything: the mode. */
  bar?: ReactNode;
  /** In the head, on the right. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The frame of every page behind the sign-in: where one is, where one can go, who one is. */
export function Shell({ name, groups, bar, tools, children }: ShellProps) {
  const [menuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();
  useSearchKey();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it closes because one has gone somewhere.
  useEffect(() => setMenuOpen(false), [pathname]);

  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-accent px-4 py-2 font-medium text-accent-ink focus:translate-y-0"
      >
        Skip to the content
      </a>
      <div className="sticky top-0 z-20 no-print">
        {bar}
        <header className="flex h-14 items-center gap-2 border-b bg-surface px-3 sm:px-5">
          <IconButton icon={MenuIcon} label="Menu" className="lg:hidden" onClick={() => setMenuOpen(true)} />
          <Logo />
          <span className="mx-2 hidden h-5 border-l sm:block" />
          <p className="min-w-0 flex-1 truncate font-medium">{name}</p>
          {tools}
          <AccountMenu />
        </header>
      </div>
      <div className="mx-auto flex w-full max-w-[100rem] flex-1">
        <aside
          className={cn(
            'no-print sticky hidden w-58 shrink-0 overflow-y-auto border-r px-3 py-5 lg:block',
            bar === undefined ? 'top-14 h-[calc(100dvh-3.5rem)]' : 'top-22 h-[calc(100dvh-5.5rem)]',
          )}
        >
          <Navigation groups={groups} label="Main" />
        </aside>
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-4 py-6 sm:px-8 lg:py-8">
          <div className="mx-auto max-w-6xl">{children}</div>
        </main>
      </div>
      <Dialog kind="menu" open={menuOpen} onClose={() => setMenuOpen(false)} title="Menu">
        <Navigation groups={groups} label="Menu" />
      </Dialog>
    </div>
  );
}

function Navigation({ groups, label }: { groups: readonly NavigationGroup[]; label: string }) {
  return (
    <nav aria-label={label} className="flex flex-col gap-4">
      {groups.map((group) => (
        <div key={group.label}>
          <h2 className="mb-1 px-2.5 text-2xs font-semibold tracking-wide text-muted">{group.label}</h2>
          <ul className="flex flex-col gap-0.5">
            {group.items.map(({ label: name, to, icon: Icon, exact }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: exact === true, includeSearch: false }}
                  className="flex min-h-11 items-center gap-2.5 lg:min-h-8 rounded-control px-2.5 font-medium text-muted hover:bg-hover hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
                >
                  <Icon className="size-4.5 shrink-0" aria-hidden />
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
