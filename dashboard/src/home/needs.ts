import {
  BadgeX,
  CircleHelp,
  Fingerprint,
  Gavel,
  KeyRound,
  Landmark,
  ListChecks,
  ListX,
  PencilRuler,
  Send,
  Undo2,
  UserRoundSearch,
  Webhook,
} from 'lucide-react';
import { nowDate } from '../api/clock.ts';
import { useRead } from '../api/reads.ts';
import { useLacksPin, useMay, useMode, useSession } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import type { Need } from '../components/needs-list.tsx';
import { formatCount } from '../format/money.ts';
import { formatDistance, formatMoment, lagosDay } from '../format/time.ts';

export type Home = Data<'get', '/home'>;

/** Somebody else may be waiting for it. */
const LOOK_EVERY_MS = 30_000;
/** As many as the service counts; there may be more. */
const MOST_COUNTED = 1_000;
/** So many in a row are no hiccup. */
const FAILING_FROM = 3;

/** What needs this person in this mode, and how far the business is on its way to live money. */
export function useHome() {
  return useRead('/home', {}, { refetchInterval: LOOK_EVERY_MS });
}

/** The most urgent first; only what their role can do something about. */
export function useNeeds(home: Home | undefined): readonly Need[] {
  const mode = useMode();
  const may = useMay();
  const pin = usePin();
  const settlement = useSettlement();
  const mayPay = may('payout:write', mode);
  const mayAnswer = may('collection:write', mode);
  const needsApproval = useSession().merchant?.isMakerCheckerEnabled === true;
  if (home === undefined) return [];
  const all = [
    pin,
    mayAnswer ? disputes(home) : undefined,
    approvals(home),
    unknown(home),
    payouts(home, 'failedPayouts'),
    payouts(home, 'returnedPayouts'),
    mayAnswer ? refunds(home, 'refundsNeedingDetails') : undefined,
    refunds(home, 'failedRefunds'),
    mayAnswer ? refusedRefunds(home) : undefined,
    mayPay ? rejected(home) : undefined,
    mayPay ? batches(home, 'partlyPaidBatches') : undefined,
    mayPay ? batches(home, 'batchesToCorrect') : undefined,
    mayPay ? batches(home, 'batchesReady', needsApproval) : undefined,
    webhook(home),
    keys(home),
    settlement,
  ];
  return all.filter((need) => need !== undefined);
}

const many = (count: number, one: string, more: string) =>
  count === 1 ? `One ${one}` : `${count >= MOST_COUNTED ? `${formatCount(MOST_COUNTED)} or more` : count} ${more}`;

function usePin(): Need | undefined {
  const mode = useMode();
  const may = useMay();
  const lacksPin = useLacksPin();
  if (!lacksPin || !may('pin:manage', mode)) return undefined;
  return {
    key: 'pin',
    icon: Fingerprint,
    title: mode === 'LIVE' ? 'No live PIN is set' : 'No sandbox PIN is set',
    text: 'Without it no money can be paid out or moved back from stores and subaccounts.',
    go: 'Set the PIN',
    link: { to: '/settings/pin' },
  };
}

/** A settlement failed, or nothing is settled because something stands against it. */
function useSettlement(): Need | undefined {
  const mode = useMode();
  const mayRead = useMay()('collection:read', mode);
  const options = { refetchInterval: LOOK_EVERY_MS, enabled: mayRead };
  const settings = useRead('/collection/settlement/settings', {}, options).data;
  const failed =
    useRead('/collection/settlement', { query: { status: 'FAILED', size: 1 } }, options).data?.records ?? [];
  const need = { key: 'settlement', icon: Landmark, go: 'See settlements' };
  const [last] = failed;
  if (last !== undefined) {
    const text = 'The money is in the wallet. It is tried again on the next working day.';
    const params = { settlementId: last.settlementId };
    return {
      ...need,
      title: 'A settlement failed',
      text,
      link: { to: '/collections/settlements/$settlementId', params },
    };
  }
  if (settings === undefined || settings.pausedWords === null) return undefined;
  const link = { to: '/collections/settlements' } as const;
  return { ...need, title: 'Settlements are paused', text: settings.pausedWords, link };
}

function disputes({ disputesToAnswer }: Home): Need | undefined {
  if (disputesToAnswer === null || disputesToAnswer.count === 0) return undefined;
  const { count, dueAt, disputeId } = disputesToAnswer;
  const left = dueAt === null ? '' : ` The time is over ${formatDistance(dueAt, nowDate())}.`;
  return {
    key: 'disputes',
    icon: Gavel,
    title: many(count, 'dispute waits for your answer', 'disputes wait for your answer'),
    text: `Without an answer the money is taken.${left}`,
    go: 'Answer',
    link:
      disputeId === null
        ? { to: '/collections/disputes', search: { status: 'OPEN' } }
        : { to: '/collections/disputes/$disputeId', params: { disputeId } },
  };
}

function approvals({ approvals: count }: Home): Need | undefined {
  if (count === null || count === 0) return undefined;
  return {
    key: 'approvals',
    icon: ListChecks,
    title: many(count, 'approval waits for you', 'approvals wait for you'),
    text: 'Nothing is paid before you have looked at it.',
    go: 'Look at them',
    link: { to: '/approvals' },
  };
}

function unknown({ unknownOutcomes }: Home): Need | undefined {
  if (unknownOutcomes === null || unknownOutcomes.count === 0) return undefined;
  const { count, since } = unknownOutcomes;
  const age = since === null ? '' : ` The oldest was sent ${formatDistance(since, nowDate())}.`;
  return {
    key: 'unknown',
    icon: CircleHelp,
    title: many(count, 'payout has no known outcome', 'payouts have no known outcome'),
    text: `The bank has not said whether it paid. The money stays held; do not pay it again.${age}`,
    go: 'See them',
    link: { to: '/transactions', search: { status: 'PROCESSING' } },
  };
}

const PAYOUT_WORDS = {
  failedPayouts: {
    icon: BadgeX,
    status: 'FAILED',
    one: 'payout failed in the last 7 days',
    more: 'payouts failed in the last 7 days',
    text: 'The money is back in the wallet. See why, and pay again what is still owed and in no new list.',
  },
  returnedPayouts: {
    icon: Undo2,
    status: 'REVERSED',
    one: 'payout came back in the last 7 days',
    more: 'payouts came back in the last 7 days',
    text: 'The bank returned the money after it was paid.',
  },
};

function payouts(home: Home, which: keyof typeof PAYOUT_WORDS): Need | undefined {
  const count = home[which]?.count ?? 0;
  if (count === 0) return undefined;
  const { icon, status, one, more, text } = PAYOUT_WORDS[which];
  const search = { status, from: lagosDay(home.since) };
  return {
    key: which,
    icon,
    title: many(count, one, more),
    text,
    go: 'See them',
    link: { to: '/transactions', search },
  };
}

const REFUND_WORDS = {
  refundsNeedingDetails: {
    icon: UserRoundSearch,
    status: 'NEEDS_DETAILS',
    one: 'refund needs the payer’s account',
    more: 'refunds need the payer’s account',
    text: 'The provider cannot send the money back before it has the account.',
    go: 'Give the account',
  },
  failedRefunds: {
    icon: BadgeX,
    status: 'FAILED',
    one: 'refund failed in the last 7 days',
    more: 'refunds failed in the last 7 days',
    text: 'The money is in the wallet again. See why, and refund again where it is still owed.',
    go: 'See them',
  },
};

function refunds(home: Home, which: keyof typeof REFUND_WORDS): Need | undefined {
  const count = home[which]?.count ?? 0;
  if (count === 0) return undefined;
  const { icon, status, one, more, text, go } = REFUND_WORDS[which];
  return {
    ...{ key: which, icon, text, go },
    title: many(count, one, more),
    link: { to: '/collections/refunds', search: { status } },
  };
}

function refusedRefunds(home: Home): Need | undefined {
  const count = home.refusedRefunds?.count ?? 0;
  if (count === 0) return undefined;
  return {
    key: 'refusedRefunds',
    icon: BadgeX,
    title: many(count, 'refund could not be made by rule', 'refunds could not be made by rule'),
    text: 'Your rule for refunds is for a payment and could not send it back. Refund it from its own page.',
    go: 'See which',
    link: { to: '/collections/refunds', search: {} },
  };
}

const BATCH_WORDS = {
  partlyPaidBatches: {
    icon: ListX,
    status: 'PARTIALLY_COMPLETED',
    one: 'bulk payout was paid in part',
    more: 'bulk payouts were paid in part',
    text: 'Some rows failed. See which, and pay them again.',
    go: 'See the rows',
  },
  batchesToCorrect: {
    icon: PencilRuler,
    status: 'NEEDS_FIX',
    one: 'bulk payout needs correction',
    more: 'bulk payouts need correction',
    text: 'Some rows cannot be paid. Correct them in the table.',
    go: 'Correct',
  },
  batchesReady: {
    icon: Send,
    status: 'READY',
    one: 'bulk payout is ready',
    more: 'bulk payouts are ready',
    text: 'Every row can be paid. It waits to be sent with the PIN.',
    go: 'Review and pay',
  },
};

/** Where approvals are on, the PIN sends it to another person first. */
const READY_FOR_APPROVAL = { text: 'Every row can be paid. It waits to be sent for approval.', go: 'Review and send' };

function batches(home: Home, which: keyof typeof BATCH_WORDS, needsApproval = false): Need | undefined {
  const found = home[which];
  if (found === null || found.count === 0) return undefined;
  const { status, one, more, ...words } = BATCH_WORDS[which];
  return {
    ...words,
    ...(needsApproval && READY_FOR_APPROVAL),
    key: which,
    title: many(found.count, one, more),
    link: linkTo(found.batchReference, status),
  };
}

const linkTo = (batchReference: string | null, status: string): Need['link'] =>
  batchReference === null
    ? { to: '/bulk', search: { status } }
    : { to: '/bulk/$batchReference', params: { batchReference } };

function rejected({ rejectedBatches: found }: Home): Need | undefined {
  if (found === null || found.count === 0) return undefined;
  const { count, batchReference, by, at, note } = found;
  const last =
    by === null || at === null ? '' : `Rejected by ${by}, ${formatMoment(at)}${note === null ? '.' : `: ${note}`}`;
  return {
    key: 'rejectedBatches',
    icon: ListX,
    title: many(count, 'bulk payout was rejected', 'bulk payouts were rejected'),
    text: count === 1 ? last : `The last one: ${last}`,
    go: 'Correct and send again',
    link: linkTo(batchReference, 'READY'),
  };
}

function webhook({ webhook: endpoint }: Home): Need | undefined {
  if (endpoint === null) return undefined;
  const isDisabled = endpoint.status === 'DISABLED';
  if (!isDisabled && endpoint.failuresInARow < FAILING_FROM) return undefined;
  return {
    key: 'webhook',
    icon: Webhook,
    title: isDisabled ? 'Your webhook address is switched off' : 'Your webhook address does not take events',
    text: isDisabled
      ? 'It answered that it is gone (410). Nothing is sent until you enable it.'
      : `The last ${endpoint.failuresInARow} calls failed. They are retried.`,
    go: 'See the deliveries',
    link: { to: '/developers/deliveries' },
  };
}

function keys({ oldKeys: count }: Home): Need | undefined {
  if (count === null || count === 0) return undefined;
  return {
    key: 'keys',
    icon: KeyRound,
    title: many(count, 'API key is older than 90 days', 'API keys are older than 90 days'),
    text: 'Replace it: the old one keeps working while you switch.',
    go: 'Rotate',
    link: { to: '/developers/keys' },
  };
}
