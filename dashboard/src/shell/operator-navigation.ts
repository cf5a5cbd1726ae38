import {
  ArrowDownToLine,
  Banknote,
  Building2,
  CalendarCheck,
  CalendarOff,
  CircleHelp,
  FileSpreadsheet,
  Gauge,
  HandCoins,
  Inbox,
  Landmark,
  Layers,
  ListX,
  Megaphone,
  Percent,
  PiggyBank,
  Scale,
  ScrollText,
  Send,
  ShieldAlert,
  ShieldCheck,
  Snowflake,
  TrainFront,
  Undo2,
  Users,
  Vault,
  Wallet,
  Webhook,
} from 'lucide-react';
import type { NavigationGroup } from './navigation.ts';

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
      { label: 'Disputes', to: '/operator/disputes', icon: Undo2 },
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
