import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { CircleUserRound, LogOut, Mail, Menu as MenuIcon, Moon, ShieldCheck, Sun, SunMoon } from 'lucide-react';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { forgetSession, useSession } from '../api/session.ts';
import { IconButton } from '../components/button.tsx';
import { cn } from '../components/class-names.ts';
import { Dialog } from '../components/dialog.tsx';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { onTheme, readTheme, setTheme, type Theme } from '../components/theme.ts';
import { toast } from '../components/toast.tsx';
import { ROLE_NAMES } from '../people/roles.ts';
import { BrandLogo } from '../sign-in/plain-page.tsx';
import { FindButton } from './find-button.tsx';
import type { FindProps } from './find-places.ts';
import type { NavigationGroup } from './navigation.ts';

export interface ShellProps {
  /** The organization that one is in: the business or the operator. */
  name: string;
  /** Whose pages they are: by it is found what there is. */
  of: FindProps['of'];
  groups: readonly NavigationGroup[];
  /** Above everything: the mode. */
  bar?: ReactNode;
  /** How many stand there, so that what sticks below them knows its place. */
  bars?: 1 | 2;
  /** In the head, on the right. */
  tools?: ReactNode;
  children: ReactNode;
}

/** The frame of every page behind the sign-in: where one is, where one can go, who one is. */
export function Shell({ name, of, groups, bar, bars = 1, tools, children }: ShellProps) {
  const [menuOpen, setMenuOpen] = useState(false);
  const { pathname } = useLocation();
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
      <div className="sticky top-0 z-20 print:static">
        {bar}
        <p className="hidden px-4 pt-2 font-medium print:block">{name}</p>
        <header className="no-print flex h-14 items-center gap-2 border-b bg-surface px-3 sm:px-5">
          <IconButton icon={MenuIcon} label="Menu" className="lg:hidden" onClick={() => setMenuOpen(true)} />
          <Logo />
          <span className="mx-2 hidden h-5 border-l sm:block" />
          <p className="min-w-0 flex-1 truncate font-medium">{name}</p>
          <FindButton groups={groups} of={of} />
          {tools}
          <AccountMenu />
        </header>
      </div>
      <div className="mx-auto flex w-full max-w-[100rem] flex-1">
        <aside
          className={cn(
            'no-print sticky hidden w-58 shrink-0 overflow-y-auto border-r px-3 py-5 lg:block',
            bar === undefined && 'top-14 h-[calc(100dvh-3.5rem)]',
            bar !== undefined && (bars === 1 ? 'top-22 h-[calc(100dvh-5.5rem)]' : 'top-32 h-[calc(100dvh-8rem)]'),
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

const THEMES: readonly { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: 'system', label: 'Colours of the system', icon: SunMoon },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
];

/** Who is signed in, and what concerns only them. */
function AccountMenu() {
  const { person, mailOutbox, supportView } = useSession();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const theme = useSyncExternalStore(onTheme, readTheme);
  const role =
    person.role === null
      ? supportView === null
        ? 'Operator'
        : 'Operator, in a support view'
      : ROLE_NAMES[person.role];
  const name = `${person.firstName} ${person.lastName}`.trim() || person.email;

  const account: MenuItem[] = [
    {
      label: 'Your sign-in and sessions',
      icon: ShieldCheck,
      onSelect: () => void navigate({ to: person.kind === 'OPERATOR' ? '/operator/security' : '/settings/security' }),
    },
  ];
  if (mailOutbox) account.push({ label: 'Local mails', icon: Mail, onSelect: () => void navigate({ to: '/outbox' }) });
  // A support view only reads: it is ended in its bar, and signing out is done at the desk.
  const out: MenuItem = { label: 'Sign out', icon: LogOut, onSelect: () => void signOut() };
  const themes = THEMES.filter((choice) => choice.theme !== theme).map((choice) => ({
    label: choice.label,
    icon: choice.icon,
    onSelect: () => setTheme(choice.theme),
  }));

  return (
    <Menu
      heading={
        <>
          <span className="block font-semibold text-ink">{name}</span>
          <span className="block truncate">{person.email}</span>
          <span>{role}</span>
        </>
      }
      groups={supportView === null ? [account, themes, [out]] : [themes]}
      trigger={
        <button
          type="button"
          aria-label={`Account of ${name}`}
          className="flex min-h-9 items-center gap-2 rounded-control px-2 hover:bg-hover"
        >
          <CircleUserRound className="size-5 text-muted" aria-hidden />
          <span className="hidden max-w-40 truncate md:block">{name}</span>
        </button>
      }
    />
  );
}

function useSignOut(): () => Promise<void> {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const end = useAction('delete', '/session');
  return async () => {
    try {
      await end.run({});
    } catch (error) {
      toast({ tone: 'bad', text: `You are still signed in. ${messageOf(error)}` });
      return;
    }
    // What a page would ask about is nobody's any more.
    await navigate({ to: '/sign-in', search: {}, ignoreBlocker: true });
    forgetSession(queries);
  };
}

function Logo() {
  return (
    <Link to="/" className="flex items-center gap-2 rounded-md text-base font-semibold tracking-tight">
      <BrandLogo />
      <span className="sr-only sm:not-sr-only">Manilla</span>
    </Link>
  );
}
