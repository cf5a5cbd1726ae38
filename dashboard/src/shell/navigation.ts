import type { LinkProps } from '@tanstack/react-router';
import {
  ArrowDownToLine,
  ArrowLeftRight,
  Banknote,
  BookOpen,
  BookUser,
  Building2,
  CalendarCheck,
  CalendarClock,
  CalendarOff,
  CircleHelp,
  FileClock,
  FileSpreadsheet,
  Gauge,
  GitFork,
  HandCoins,
  Home,
  Inbox,
  KeyRound,
  Landmark,
  Layers,
  ListChecks,
  ListX,
  type LucideIcon,
  MailCheck,
  Megaphone,
  Percent,
  PiggyBank,
  Radio,
  Scale,
  ScrollText,
  Send,
  Settings,
  ShieldAlert,
  ShieldCheck,
  Snowflake,
  Store,
  Terminal,
  TrainFront,
  Users,
  Vault,
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

/** What the operator's people find. */
export const OPERATOR_NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'Today',
    items: [
      { label: 'Overview', to: '/operator', icon: Gauge, exact: true },
      { label: 'Merchants', to: '/operator/merchants', icon: Building2 },
      { label: 'Payouts', to: '/operator/payouts', icon: Send },
      { label: 'Payments in', to: '/operator/payments-in', icon: Wallet },
      { label: 'Unknown outcomes', to: '/operator/outcomes', icon: CircleHelp },
      { label: 'Manual credits', to: '/operator/manual-credits', icon: HandCoins },
      { label: 'Money in', to: '/operator/money-in', icon: Inbox },
    ],
  },
  {
    label: 'Money',
    items: [
      { label: 'Money safety', to: '/operator/verify', icon: ShieldCheck },
      { label: 'Rails', to: '/operator/rails', icon: TrainFront },
      { label: 'Float', to: '/operator/float', icon: Landmark },
      { label: 'Reconciliation', to: '/operator/reconciliation', icon: Scale },
      { label: 'Merchant settlements', to: '/operator/merchant-settlements', icon: PiggyBank },
      { label: 'Provider settlements', to: '/operator/provider-settlements', icon: ArrowDownToLine },
      { label: 'Daily close', to: '/operator/daily-close', icon: CalendarCheck },
    ],
  },
  {
    label: 'Compliance',
    items: [
      { label: 'Freezes', to: '/operator/freezes', icon: Snowflake },
      { label: 'Held for review', to: '/operator/cases', icon: ShieldAlert },
      { label: 'Screening', to: '/operator/screening', icon: ListX },
      { label: 'Tiers', to: '/operator/tiers', icon: Layers },
      { label: 'Large transactions', to: '/operator/reports', icon: FileSpreadsheet },
    ],
  },
  {
    label: 'Terms',
    items: [
      { label: 'Fees', to: '/operator/fees', icon: Percent },
      { label: 'Reserves', to: '/operator/reserves', icon: Vault },
      { label: 'Limits', to: '/operator/limits', icon: Banknote },
      { label: 'Bank holidays', to: '/operator/bank-holidays', icon: CalendarOff },
    ],
  },
  {
    label: 'Organization',
    items: [
      { label: 'Announcements', to: '/operator/announcements', icon: Megaphone },
      { label: 'Webhooks', to: '/operator/webhooks', icon: Webhook },
      { label: 'People', to: '/operator/people', icon: Users },
      { label: 'Audit log', to: '/operator/audit', icon: ScrollText },
    ],
  },
];
