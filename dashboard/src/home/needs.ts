import { FileWarning, Fingerprint, HandCoins, KeyRound, ListChecks, PencilRuler, Send, Webhook } from 'lucide-react';
import { useRead } from '../api/reads.ts';
import { useLacksPin, useMay, useMode, useSession } from '../api/session.ts';
import type { Need } from '../components/needs-list.tsx';

/** Somebody else may be waiting for it. */
const LOOK_EVERY_MS = 60_000;
/** More are shown as "50 or more". */
const MOST_COUNTED = 50;

export interface Needs {
  needs: readonly Need[];
  /** Not everything was looked at yet. */
  isLoading: boolean;
  /** Something could not be looked at. */
  error: unknown;
  retry: () => void;
}

/** What needs this person in this mode, the most urgent first. Only what their role can do something about. */
export function useNeeds(): Needs {
  const sources = [
    useApprovals(),
    useBatches('NEEDS_FIX'),
    useBatches('READY'),
    useWebhook(),
    useKeys(),
    useOnboarding(),
    useLiveReadiness(),
  ];
  const pin = usePin();
  return {
    needs: [pin, ...sources.map(({ need }) => need)].filter((need) => need !== undefined),
    isLoading: sources.some(({ isLoading }) => isLoading),
    error: sources.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const source of sources) if (source.error !== null) void source.refetch();
    },
  };
}

const many = (count: number, one: string, more: string) =>
  count === 1 ? `One ${one}` : `${count >= MOST_COUNTED ? `${MOST_COUNTED} or more` : count} ${more}`;

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

function useApprovals() {
  const mode = useMode();
  const enabled = useMay()('approval:decide', mode);
  const { data, isLoading, error, refetch } = useRead(
    '/approval',
    { query: { inbox: 'TO_DECIDE', size: 1 } },
    { enabled, refetchInterval: LOOK_EVERY_MS },
  );
  const count = data?.totalRecords ?? 0;
  const need: Need | undefined =
    count === 0
      ? undefined
      : {
          key: 'approvals',
          icon: ListChecks,
          title: many(count, 'approval waits for you', 'approvals wait for you'),
          text: 'Nothing is paid before you have looked at it.',
          go: 'Look at them',
          link: { to: '/approvals' },
        };
  return { need, isLoading, error, refetch };
}

const BATCH_WORDS = {
  NEEDS_FIX: {
    icon: PencilRuler,
    one: 'bulk payout needs correction',
    more: 'bulk payouts need correction',
    text: 'Some rows cannot be paid. Correct them in the table.',
    go: 'Correct',
  },
  READY: {
    icon: Send,
    one: 'bulk payout is ready',
    more: 'bulk payouts are ready',
    text: 'Every row can be paid. It waits to be dispatched with the PIN.',
    go: 'Dispatch',
  },
};

function useBatches(status: keyof typeof BATCH_WORDS) {
  const mode = useMode();
  const enabled = useMay()('payout:write', mode);
  const { data, isLoading, error, refetch } = useRead('/payout/bulk', { query: { status, size: 1 } }, { enabled });
  const { one, more, ...words } = BATCH_WORDS[status];
  const [only] = data?.records ?? [];
  const count = data?.totalRecords ?? 0;
  const need: Need | undefined =
    only === undefined
      ? undefined
      : {
          ...words,
          key: status,
          title: many(count, one, more),
          link:
            count === 1
              ? { to: '/bulk/$batchReference', params: { batchReference: only.batchReference } }
              : { to: '/bulk' },
        };
  return { need, isLoading, error, refetch };
}

/** So many in a row are no hiccup. */
const FAILING_FROM = 3;

function useWebhook() {
  const mode = useMode();
  const enabled = useMay()('webhook:read', mode);
  const { data, isLoading, error, refetch } = useRead('/webhook/endpoint', {}, { enabled });
  const disabled = data?.status === 'DISABLED';
  const failing = data?.status === 'ENABLED' && data.failuresInARow >= FAILING_FROM;
  const need: Need | undefined =
    disabled || failing
      ? {
          key: 'webhook',
          icon: Webhook,
          title: disabled ? 'Your webhook address is switched off' : 'Your webhook address does not take events',
          text: disabled
            ? 'It answered that it is gone (410). Nothing is sent until you enable it.'
            : `The last ${data.failuresInARow} calls failed. They are retried.`,
          go: 'See the deliveries',
          link: { to: '/developers/deliveries' },
        }
      : undefined;
  return { need, isLoading, error, refetch };
}

function useKeys() {
  const mode = useMode();
  const enabled = useMay()('key:manage', mode);
  const { data, isLoading, error, refetch } = useRead('/key', {}, { enabled });
  const count = data?.filter(({ rotationDue, state }) => rotationDue && state === 'ACTIVE').length ?? 0;
  const need: Need | undefined =
    count === 0
      ? undefined
      : {
          key: 'keys',
          icon: KeyRound,
          title: many(count, 'API key is older than 90 days', 'API keys are older than 90 days'),
          text: 'Replace it: the old one keeps working while you switch.',
          go: 'Rotate',
          link: { to: '/developers/keys' },
        };
  return { need, isLoading, error, refetch };
}

/** Of an approved business in live mode. Before that its onboarding is what needs somebody, and a missing PIN has a need of its own. */
function useLiveReadiness() {
  const mode = useMode();
  const may = useMay();
  const { merchant } = useSession();
  const enabled = mode === 'LIVE' && merchant?.approved === true && may('member:read', mode);
  const { data, isLoading, error, refetch } = useRead('/onboarding/live', {}, { enabled });
  const lack = [...(data?.paymentIn ?? []), ...(data?.payout ?? [])].find(({ code }) => !OWN_NEEDS.includes(code));
  const need: Need | undefined =
    lack === undefined
      ? undefined
      : {
          key: 'live',
          icon: HandCoins,
          title: 'Your live account is not complete yet',
          text: lack.message,
          go: 'See what is missing',
          link: { to: '/onboarding' },
        };
  return { need, isLoading, error, refetch };
}

/** Said in another row, or by the wallet's figures. */
const OWN_NEEDS: readonly string[] = ['LIVE_PIN_NOT_SET', 'WALLET_EMPTY', 'MERCHANT_SUSPENDED'];

function useOnboarding() {
  const mode = useMode();
  const may = useMay();
  const { merchant } = useSession();
  const enabled = merchant !== null && !merchant.approved && may('profile:manage', mode);
  const { data, isLoading, error, refetch } = useRead('/onboarding', {}, { enabled });
  const left = data?.steps.filter(({ done }) => !done).length ?? 0;
  const rejected = data?.rejectedReason ?? null;
  const waits = data === undefined || (data.submittedAt !== null && !data.canSubmit && rejected === null && left === 0);
  const need: Need | undefined = waits
    ? undefined
    : {
        key: 'onboarding',
        icon: FileWarning,
        title: rejected === null ? 'Your business profile is not submitted yet' : 'Your business profile was sent back',
        text:
          rejected ??
          (left === 0
            ? 'All steps are done. Submit it for review.'
            : `${many(left, 'step is', 'steps are')} left before you can go live.`),
        go: 'Continue',
        link: { to: '/onboarding' },
      };
  return { need, isLoading, error, refetch };
}
