import {
  ArrowDownToLine,
  Banknote,
  Building2,
  CalendarCheck,
  CalendarOff,
  CircleHelp,
  FileSpreadsheet,
  Gauge,
  Gavel,
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
import type { NavigationGroup, NavigationItem } from './navigation.ts';

const row = (label: string, to: NavigationItem['to'], icon: NavigationItem['icon'], exact?: true): NavigationItem => ({
  label,
  to,
  icon,
  ...(exact && { exact }),
});

/** What the operator's people find. */
export const OPERATOR_NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'Today',
    items: [
      row('Overview', '/operator', Gauge, true),
      row('Merchants', '/operator/merchants', Building2),
      row('Payouts', '/operator/payouts', Send),
      row('Payments in', '/operator/payments-in', Wallet),
      row('Refunds', '/operator/refunds', Undo2),
      row('Unknown outcomes', '/operator/outcomes', CircleHelp),
      row('Manual credits', '/operator/manual-credits', HandCoins),
      row('Money in', '/operator/money-in', Inbox),
      row('Disputes', '/operator/disputes', Gavel),
    ],
  },
  {
    label: 'Money',
    items: [
      row('Money safety', '/operator/verify', ShieldCheck),
      row('Rails', '/operator/rails', TrainFront),
      row('Float', '/operator/float', Landmark),
      row('Reconciliation', '/operator/reconciliation', Scale),
      row('Merchant settlements', '/operator/merchant-settlements', PiggyBank),
      row('Provider settlements', '/operator/provider-settlements', ArrowDownToLine),
      row('Daily close', '/operator/daily-close', CalendarCheck),
    ],
  },
  {
    label: 'Compliance',
    items: [
      row('Freezes', '/operator/freezes', Snowflake),
      row('Held for review', '/operator/cases', ShieldAlert),
      row('Screening', '/operator/screening', ListX),
      row('Tiers', '/operator/tiers', Layers),
      row('Large transactions', '/operator/reports', FileSpreadsheet),
    ],
  },
  {
    label: 'Terms',
    items: [
      row('Fees', '/operator/fees', Percent),
      row('Reserves', '/operator/reserves', Vault),
      row('Limits', '/operator/limits', Banknote),
      row('Bank holidays', '/operator/bank-holidays', CalendarOff),
    ],
  },
  {
    label: 'Organization',
    items: [
      row('Announcements', '/operator/announcements', Megaphone),
      row('Webhooks', '/operator/webhooks', Webhook),
      row('People', '/operator/people', Users),
      row('Audit log', '/operator/audit', ScrollText),
    ],
  },
];
