import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleUserRound, LogOut, Mail, Moon, ShieldCheck, Sun, SunMoon } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { forgetSession, useSession } from '../api/session.ts';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { ROLE_NAMES } from '../components/role-names.ts';
import { onTheme, readTheme, setTheme, type Theme } from '../components/theme.ts';
import { toast } from '../components/toast.tsx';

const THEMES: readonly { theme: Theme; label: string; icon: typeof Sun }[] = [
  { theme: 'system', label: 'Colours of the system', icon: SunMoon },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
];

/** Who is signed in, and what concerns only them. */
export function AccountMenu() {
  const { person, mailOutbox } = useSession();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const theme = useSyncExternalStore(onTheme, readTheme);
  const role = person.role === null ? 'Operator' : ROLE_NAMES[person.role];
  const name = `${person.firstName} ${person.lastName}`.trim() || person.email;

  const account: MenuItem[] = [
    {
      label: 'Your sign-in and sessions',
      icon: ShieldCheck,
      onSelect: () => void navigate({ to: person.kind === 'OPERATOR' ? '/operator/security' : '/settings/security' }),
    },
  ];
  if (mailOutbox) account.push({ label: 'Local mails', icon: Mail, onSelect: () => void navigate({ to: '/outbox' }) });
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
      groups={[account, themes, [{ label: 'Sign out', icon: LogOut, onSelect: () => void signOut() }]]}
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
    await navigate({ to: '/sign-in', search: {} });
    forgetSession(queries);
  };
}
