import { Link, type LinkProps } from '@tanstack/react-router';
import {
  Building2,
  ContactRound,
  Eye,
  Gauge,
  LockKeyhole,
  type LucideIcon,
  ScrollText,
  ShieldCheck,
  UserCheck,
  Users,
} from 'lucide-react';
import { type Right, useMay, useMode } from '../api/session.ts';
import { PageHeader } from '../components/page-header.tsx';

interface Place {
  to: NonNullable<LinkProps['to']>;
  label: string;
  about: string;
  icon: LucideIcon;
  /** A permission or a scope; everybody else does not see it. */
  needs?: Right;
}

const PLACES: readonly Place[] = [
  {
    to: '/settings/profile',
    label: 'Profile',
    about: 'How the business is reached',
    icon: ContactRound,
    needs: 'merchant:read',
  },
  {
    to: '/onboarding',
    label: 'Business profile',
    about: 'What the review asks for, and its status',
    icon: Building2,
    needs: 'member:read',
  },
  { to: '/settings/pin', label: 'PIN', about: 'What is asked before money leaves', icon: LockKeyhole },
  {
    to: '/settings/people',
    label: 'People',
    about: 'Who belongs to the business, and their roles',
    icon: Users,
    needs: 'member:read',
  },
  {
    to: '/settings/approval-rules',
    label: 'Approval rules',
    about: 'Who has to approve what before it is sent',
    icon: UserCheck,
    needs: 'payout:read',
  },
  {
    to: '/settings/limits',
    label: 'Limits',
    about: 'The most that may be paid out',
    icon: Gauge,
    needs: 'payout:read',
  },
  {
    to: '/settings/audit',
    label: 'Audit log',
    about: 'Who did what, when and from where',
    icon: ScrollText,
    needs: 'audit:read',
  },
  {
    to: '/settings/support',
    label: 'Support views',
    about: "Who of the operator's staff looked at your pages",
    icon: Eye,
  },
  {
    to: '/settings/security',
    label: 'Your sign-in and sessions',
    about: 'Password, second factor, where you are signed in',
    icon: ShieldCheck,
  },
];

/** The way to everything that is set once and looked at now and then. */
export function SettingsPage() {
  const mode = useMode();
  const may = useMay();
  return (
    <>
      <PageHeader title="Settings" />
      <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {PLACES.filter(({ needs }) => needs === undefined || may(needs, mode)).map(
          ({ to, label, about, icon: Icon }) => (
            <li key={label}>
              <Link to={to} className="card flex h-full items-start gap-3 p-4 hover:bg-hover">
                <span className="grid size-9 shrink-0 place-items-center rounded-control bg-accent-soft text-accent">
                  <Icon className="size-4.5" aria-hidden />
                </span>
                <span>
                  <span className="block font-medium">{label}</span>
                  <span className="block text-xs text-muted">{about}</span>
                </span>
              </Link>
            </li>
          ),
        )}
      </ul>
    </>
  );
}
