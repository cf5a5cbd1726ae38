import type { Tenant } from '../../platform/tenant.ts';
import type { ReportedFacts } from '../reported.ts';

const FIRST = (
  'ADAEZE ABUBAKAR AISHA BABATUNDE BLESSING CHIDI CHINWE EBUKA EFE EMEKA FATIMA FOLAKE HALIMA IBRAHIM ' +
  'IFEOMA KELECHI MUSA NGOZI OSAGIE SADE SEGUN TEMITOPE TUNDE UCHE YETUNDE ZAINAB'
).split(' ');

const MIDDLE = (
  'AMINA AYODELE CHUKWUEMEKA DANJUMA ESTHER GRACE IKENNA JOSEPH KEHINDE MARYAM NNAMDI OLUWASEUN ' +
  'PATIENCE SAMUEL TAIWO VICTORIA YUSUF'
).split(' ');

const LAST = (
  'ABIOLA ADEBAYO ADELEKE AKPAN BELLO BASSEY DANGANA EKWUEME EZE GARBA IDRIS IGWE LAWAL MOHAMMED NWOSU ' +
  'OBI OGUNLEYE OKAFOR OKONKWO OLADIPO OSARO SANI UDOH UMEH WILLIAMS YAKUBU'
).split(' ');

/** The owner of a sandbox account: the same number always has the same one, whichever code names the bank. */
export function accountNameOf(accountNumber: string): string {
  const seed = fnv1a(accountNumber);
  return `${pick(FIRST, seed)} ${pick(MIDDLE, seed >>> 8)} ${pick(LAST, seed >>> 16)}`;
}

/** Somebody else: no part of the name is the owner's. */
export function otherNameOf(accountNumber: string): string {
  const seed = fnv1a(accountNumber);
  return `${pick(FIRST, seed + 1)} ${pick(MIDDLE, (seed >>> 8) + 1)} ${pick(LAST, (seed >>> 16) + 1)}`;
}

function pick(names: readonly string[], seed: number): string {
  return names[seed % names.length] as string;
}

/** FNV-1a, 32 bits: small, and the same everywhere. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** How the sandbox bank answers who owns an account. */
type Enquiry = 'found' | 'slow' | 'not_found' | 'other_name' | 'unavailable';

/**
 * What a caller of send experiences. `hang`: no answer until the caller abandons the call. `drop`: the connection breaks.
 * `down`: as drop, and queries too, until the outage ends.
 */
type Sending = 'answer' | 'slow' | 'hang' | 'drop' | 'down';

/** A change that comes due after so many queries or so many seconds, whichever is first; nothing runs meanwhile. */
interface Later {
  /** NIP code, or `REVERSED_CODE`. */
  code: string;
  queries: number;
  seconds: number;
}

interface PlannedWebhook {
  /** Seconds after the transfer reached the rail's books. */
  seconds: number;
  code: string;
  copies?: number;
  /** Reports one kobo more than was sent. */
  wrongAmount?: boolean;
  /** Its place in the rail's own history, where it is delivered out of order. */
  sequence?: number;
}

export interface SandboxScenario {
  /** The value of the header `X-Sandbox-Scenario`. */
  name: string;
  /** The account number's last digits that select it. */
  suffix: string;
  happens: string;
  enquiry: Enquiry;
  sending: Sending;
  /** The first send never reaches the rail's books; a second one under the same reference does. */
  lost?: true;
  /** The transfer's code once it is in the rail's books. */
  code: string;
  /** What a query answers until `later`, where it is not `code`. */
  queryCode?: string;
  later?: Later;
  /** What the rail says of the transfer in place of the truth, wherever it speaks of it. */
  reports?: Partial<ReportedFacts>;
  providerWebhooks?: readonly PlannedWebhook[];
  /** The provider webhooks that are due at once go out before send answers. */
  webhooksBeforeAnswer?: true;
}

/** The sandbox's own: NIP has no code for money that came back. */
export const REVERSED_CODE = 'RV';
/** A code that no table knows. */
const UNLISTED_CODE = 'ZZ';
/** How long the slow ones take: longer than any bank should, shorter than our timeouts. */
export const SLOW_MS = 3_000;
/** The end of an outage, counted from the first send. */
export const OUTAGE: Omit<Later, 'code'> = { queries: 2, seconds: 10 };

const SOON = { queries: 2, seconds: 5 };
const SENDS_WEBHOOK_AT_ONCE = { providerWebhooks: [{ seconds: 0, code: '00' }] };

type Details = Partial<Omit<SandboxScenario, 'name' | 'suffix' | 'happens'>>;

function scenario(suffix: string, name: string, happens: string, details: Details = {}): SandboxScenario {
  return { suffix, name, happens, enquiry: 'found', sending: 'answer', code: '00', ...details };
}

/** Accounts that end in none of the suffixes: plain success. */
const PLAIN_SUCCESS = scenario('999901', 'success', 'Succeeds at once, like every account that is not listed.');

/**
 * Everything the sandbox rail can do. Six digits, so that numbers which are counted up or drawn at random are plain
 * successes. A published suffix never changes its meaning.
 */
export const SANDBOX_SCENARIOS: readonly SandboxScenario[] = [
  PLAIN_SUCCESS,
  scenario('999902', 'slow-success', 'The send takes 3 s, then succeeds.', { sending: 'slow' }),
  scenario('999903', 'slow-name-enquiry', 'Name enquiry takes 3 s; the transfer succeeds.', { enquiry: 'slow' }),
  scenario('999904', 'name-not-found', 'Name enquiry finds no account; a transfer sent anyway fails.', {
    enquiry: 'not_found',
    code: '07',
  }),
  scenario('999905', 'name-mismatch', 'The account belongs to somebody else; the transfer succeeds.', {
    enquiry: 'other_name',
  }),
  scenario('999906', 'name-enquiry-unavailable', 'The bank does not answer name enquiries; the transfer succeeds.', {
    enquiry: 'unavailable',
  }),

  scenario('999911', 'failed-do-not-honour', 'Fails at once: the bank declines.', { code: '05' }),
  scenario('999912', 'failed-dormant-account', 'Fails at once: dormant account.', { code: '06' }),
  scenario('999913', 'failed-invalid-account', 'The name is found, yet the transfer fails: invalid account.', {
    code: '07',
  }),
  scenario('999914', 'failed-name-mismatch', 'Fails at once: the bank compares the names.', { code: '08' }),
  scenario('999915', 'failed-rail-funds', 'Fails at once: not enough money at the rail.', { code: '51' }),
  scenario('999916', 'failed-limit', 'Fails at once: transfer limit exceeded.', { code: '61' }),
  scenario('999917', 'failed-suspected-fraud', 'Fails at once: suspected fraud.', { code: '34' }),
  scenario('999918', 'failed-not-permitted', 'Fails at once: not permitted to the sender. Queries do not say so.', {
    code: '57',
  }),

  scenario('999921', 'timeout-executed', 'The send gets no answer, but was executed; a query says success.', {
    sending: 'hang',
  }),
  scenario(
    '999922',
    'timeout-not-executed',
    'The send gets no answer and was lost; queries find nothing. Sent again with the same reference it succeeds.',
    { sending: 'hang', lost: true },
  ),
  scenario('999923', 'timeout-failed', 'The send gets no answer; a query says that the bank declined.', {
    sending: 'hang',
    code: '05',
  }),
  scenario('999924', 'error-executed', 'The connection breaks during the send, but it was executed.', {
    sending: 'drop',
  }),
  scenario(
    '999925',
    'rail-down',
    'Sends and queries fail until the 2nd query or 10 s after the first send; that send was lost. Sent again it succeeds.',
    { sending: 'down', lost: true },
  ),

  scenario('999931', 'pending-then-success', 'Pending; success at the 2nd query or after 5 s.', {
    code: '09',
    later: { code: '00', ...SOON },
    providerWebhooks: [{ seconds: 5, code: '00' }],
  }),
  scenario('999932', 'pending-then-failed', 'Pending; declined at the 2nd query or after 5 s.', {
    code: '09',
    later: { code: '05', ...SOON },
    providerWebhooks: [{ seconds: 5, code: '05' }],
  }),
  scenario(
    '999933',
    'not-found-then-success',
    'The send is not conclusive and the 1st query finds nothing; success at the 2nd query or after 5 s.',
    { code: '97', queryCode: '25', later: { code: '00', ...SOON } },
  ),
  scenario('999934', 'pending-forever', 'Pending until an operator resolves it.', { code: '09' }),
  scenario(
    '999935',
    'late-reversal',
    'Succeeds; the bank returns the money at the 2nd query or after 10 s, and a webhook says so.',
    {
      later: { code: REVERSED_CODE, queries: 2, seconds: 10 },
      providerWebhooks: [
        { seconds: 0, code: '00' },
        { seconds: 10, code: REVERSED_CODE },
      ],
    },
  ),
  scenario(
    '999936',
    'unlisted-code',
    'The send answers with a code that nobody knows; success at the 2nd query or after 5 s.',
    {
      code: UNLISTED_CODE,
      later: { code: '00', ...SOON },
    },
  ),

  scenario('999941', 'duplicate-webhook', 'Pending, success after 5 s; its webhook comes three times.', {
    code: '09',
    later: { code: '00', ...SOON },
    providerWebhooks: [{ seconds: 5, code: '00', copies: 3 }],
  }),
  scenario('999942', 'out-of-order-webhooks', 'Pending, success after 5 s; the webhook of pending comes after it.', {
    code: '09',
    later: { code: '00', ...SOON },
    providerWebhooks: [
      { seconds: 5, code: '00', sequence: 2 },
      { seconds: 6, code: '09', sequence: 1 },
    ],
  }),
  scenario('999943', 'delayed-webhook', 'Pending, success after 5 s; its webhook comes after 60 s.', {
    code: '09',
    later: { code: '00', ...SOON },
    providerWebhooks: [{ seconds: 60, code: '00' }],
  }),
  scenario('999944', 'early-webhook', 'Succeeds; its webhook comes before the answer to the send.', {
    providerWebhooks: [{ seconds: 0, code: '00' }],
    webhooksBeforeAnswer: true,
  }),
  scenario('999945', 'wrong-amount-webhook', 'Pending, success after 5 s; its webhook has another amount.', {
    code: '09',
    later: { code: '00', ...SOON },
    providerWebhooks: [{ seconds: 5, code: '00', wrongAmount: true }],
  }),

  scenario('999951', 'other-amount', 'Succeeds, of 1 kobo: the rail reports that wherever it answers.', {
    reports: { amountMinor: 1n },
    ...SENDS_WEBHOOK_AT_ONCE,
  }),
  scenario('999952', 'other-currency', 'Succeeds, in GHS.', { reports: { currency: 'GHS' }, ...SENDS_WEBHOOK_AT_ONCE }),
  scenario('999953', 'other-account', 'Succeeds, to another account.', {
    reports: { accountNumber: '0000000018' },
    ...SENDS_WEBHOOK_AT_ONCE,
  }),
  scenario('999954', 'other-reference', 'Succeeds, under another reference than the one that was sent.', {
    reports: { railReference: '0'.repeat(32) },
    ...SENDS_WEBHOOK_AT_ONCE,
  }),
];

const SUFFIX_LENGTH = 6;
const BY_SUFFIX: ReadonlyMap<string, SandboxScenario> = new Map(
  SANDBOX_SCENARIOS.map((entry) => [entry.suffix, entry]),
);
const BY_NAME: ReadonlyMap<string, SandboxScenario> = new Map(SANDBOX_SCENARIOS.map((entry) => [entry.name, entry]));

/** For the header of the API: a name that is not a scenario is to be refused there. */
export function isSandboxScenario(name: string): boolean {
  return BY_NAME.has(name);
}

/** A named scenario wins over the account number; an unknown name counts as none. */
export function scenarioFor(accountNumber: string, name?: string): SandboxScenario {
  const named = name === undefined ? undefined : BY_NAME.get(name);
  return named ?? BY_SUFFIX.get(accountNumber.slice(-SUFFIX_LENGTH)) ?? PLAIN_SUCCESS;
}

/** The scenario that a transfer was stored with. */
export function storedScenario(name: string): SandboxScenario {
  return BY_NAME.get(name) ?? PLAIN_SUCCESS;
}

/** Nothing here pays anybody, or is paid by anybody. */
export function requireSandbox(tenant: Tenant): void {
  if (tenant.mode !== 'SANDBOX') throw new Error('the sandbox rail moves no live money');
}
