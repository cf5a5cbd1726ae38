import type { LinkProps } from '@tanstack/react-router';
import {
  ArrowLeftRight,
  BookOpen,
  BookUser,
  Building2,
  CalendarClock,
  FileClock,
  FileSpreadsheet,
  GitFork,
  HandCoins,
  Home,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MailCheck,
  Radio,
  ScrollText,
  Send,
  Settings,
  Store,
  Terminal,
  Users,
  Wallet,
  Webhook,
} from 'lucide-react';
import type { Right } from '../api/session.ts';

export interface NavigationItem {
  label: string;
  to: NonNullable<LinkProps['to']>;
  icon: LucideIcon;
  /** A permission or a scope; without it the item is not shown. */
  needs?: Right;
  /** Only the page itself is current, not those below it. */
  exact?: boolean;
}

export interface NavigationGroup {
  label: string;
  items: readonly NavigationItem[];
}

/** What a merchant's people find on the left, in the order of a working day. */
export const MERCHANT_NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'Money',
    items: [
      { label: 'Home', to: '/', icon: Home, exact: true },
      { label: 'Wallet', to: '/wallet', icon: Wallet, needs: 'wallet:read' },
      { label: 'Money in', to: '/collections', icon: HandCoins, needs: 'collection:read' },
      { label: 'Transactions', to: '/transactions', icon: ArrowLeftRight, needs: 'transaction:read' },
      { label: 'Stores', to: '/stores', icon: Store, needs: 'store:read' },
      { label: 'Subaccounts', to: '/subaccounts', icon: GitFork, needs: 'subaccount:read' },
    ],
  },
  {
    label: 'Paying out',
    items: [
      { label: 'Payouts', to: '/payouts', icon: Send, needs: 'payout:read', exact: true },
      { label: 'Bulk payouts', to: '/bulk', icon: FileSpreadsheet, needs: 'payout:read' },
      { label: 'Scheduled', to: '/payouts/scheduled', icon: CalendarClock, needs: 'payout:read' },
      { label: 'Beneficiaries', to: '/beneficiaries', icon: BookUser, needs: 'payout:read' },
      { label: 'Approvals', to: '/approvals', icon: ListChecks, needs: 'approval:read' },
    ],
  },
  {
    label: 'Developers',
    items: [
      { label: 'API keys', to: '/developers/keys', icon: KeyRound, needs: 'key:read' },
      { label: 'Webhooks', to: '/developers/webhooks', icon: Webhook, needs: 'webhook:read' },
      { label: 'Deliveries', to: '/developers/deliveries', icon: MailCheck, needs: 'webhook:read' },
      { label: 'Events', to: '/developers/events', icon: Radio, needs: 'webhook:read' },
      { label: 'Event catalogue', to: '/developers/catalogue', icon: BookOpen, needs: 'webhook:read' },
      { label: 'Requests', to: '/developers/requests', icon: FileClock, needs: 'request:read' },
      { label: 'API explorer', to: '/developers/explorer', icon: Terminal, needs: 'payout:read' },
    ],
  },
  {
    label: 'Business',
    items: [
      { label: 'Business profile', to: '/onboarding', icon: Building2, needs: 'member:read' },
      { label: 'People', to: '/settings/people', icon: Users, needs: 'member:read' },
      { label: 'Audit log', to: '/settings/audit', icon: ScrollText, needs: 'audit:read' },
      { label: 'Settings', to: '/settings', icon: Settings, exact: true },
    ],
  },
];

/** The item of the page at an address, or of the page above it. A person who may not see that page sees neither. */
export function itemAt(pathname: string): NavigationItem | undefined {
  const items = MERCHANT_NAVIGATION.flatMap((group) => group.items);
  const around = items.filter(({ to }) => `${pathname}/`.startsWith(`${to}/`));
  return around.toSorted((one, other) => other.to.length - one.to.length)[0];
}
