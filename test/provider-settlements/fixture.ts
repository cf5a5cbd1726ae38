import { randomUUID } from 'node:crypto';
import { type Availability, setAvailability } from '../../src/availability/index.ts';
import type { DeductionOwner, FindDeductionOwner } from '../../src/collections/index.ts';
import {
  applyProviderSettlement,
  everyProviderLine,
  importProviderSettlement,
  type ListedProviderLine,
  type ProviderSettlementFile,
  readProviderSettlement,
} from '../../src/provider-settlements/index.ts';
import type { ConfirmedCredit, CreditHint } from '../../src/rails/index.ts';
import { RAIL } from '../collections/fixture.ts';
import { createSuspenseFixture } from '../collections/suspense-fixture.ts';
import { openText } from '../reconciliation/files.ts';

/** Those of the proof that are broken in `settlement-proof.test.ts`. */
export const CHECKS_OF_SETTLEMENTS = [
  'payments-in-are-settled-once',
  'settled-payments-have-their-line',
  'payments-are-released-by-their-settlement',
  'pending-collections-and-provider-cost-are-what-they-say',
  'settled-payments-are-reported',
  'lines-of-settlements-are-what-was-compared',
  'settlements-are-applied-by-two',
  'payments-wait-where-the-rules-say',
] as const;

/** Those that are broken in `test/daily-close`. */
export const CHECKS_OF_CLOSES = ['signed-days-are-what-the-ledger-says', 'signed-days-are-unaltered'] as const;

/** Those that are broken in `deductions.test.ts`. */
export const CHECKS_OF_DEDUCTIONS = [
  'deductions-are-posted-once',
  'deductions-have-their-line',
  'deductions-are-reported',
] as const;

const NOTICE_MS = 3 * 60_000;
/** What the scripted provider says that it keeps of each payment. */
export const PROVIDER_FEE = 1_000n;

export interface SettledLine {
  id?: string | null;
  session?: string | null;
  gross: string;
  fee?: string;
  net?: string;
  currency?: string;
  mode?: string;
  type?: string;
}

/** A file with the neutral columns. */
export const csvOf = (lines: readonly SettledLine[]): string =>
  [
    'transaction_id,session_id,gross,fee,net,currency,mode,type',
    ...lines.map(({ id, session, gross, fee = '', net = '', currency = '', mode = '', type = '' }) =>
      [id ?? '', session ?? '', gross, fee, net, currency, mode, type].map((cell) => `"${cell}"`).join(','),
    ),
  ].join('\n');

/** What a provider calls it: the refund's own id first, then its payment's. */
export type ScriptedSubject = DeductionOwner & { names: readonly string[] };

const findIn =
  (subjects: readonly ScriptedSubject[], kind: DeductionOwner['subjectType']): FindDeductionOwner =>
  async ({ providerTransactionId, kind: asked, except }) =>
    asked !== null && asked !== kind
      ? undefined
      : subjects.find(
          ({ names, subjectType, subjectId }) =>
            subjectType === kind && names.includes(providerTransactionId ?? '') && !except.includes(subjectId),
        );

const naira = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

/** Money in at a scripted provider that settles it, and three people of the operator. */
export async function createSettlementFixture() {
  const fixture = await createSuspenseFixture();
  const { clock, database, people } = fixture;
  /** Refunds and disputes as their modules would know them. */
  const subjects: ScriptedSubject[] = [];
  const deductionOwners = [findIn(subjects, 'REFUND'), findIn(subjects, 'DISPUTE')];
  const deps = { ...fixture.deps, deductionOwners };
  const emailOf = (name: string) => `${name}@manilla.example`;

  type Payee = Awaited<ReturnType<typeof fixture.payee>>;

  /** Somebody pays, and the provider's webhook says so. */
  async function pay(
    { accountNumber }: Pick<Payee, 'accountNumber'>,
    amountMinor: bigint,
    given: Partial<ConfirmedCredit> = {},
  ): Promise<CreditHint> {
    const hint = fixture.script.receive({ ...given, accountNumber, amountMinor });
    await fixture.takeWebhook(hint);
    return hint;
  }

  /** A refund or dispute of the merchant that the provider is to take from what it settles. */
  async function owe(
    { tenant }: Pick<Payee, 'tenant'>,
    amountMinor: bigint,
    given: Partial<ScriptedSubject> = {},
  ): Promise<ScriptedSubject> {
    const subjectId = randomUUID();
    const owner = fixture.creditRail.providerAccountId ?? tenant.merchantId;
    const subject: ScriptedSubject = {
      names: [`r-${subjectId}`],
      tenant,
      subjectType: 'REFUND',
      subjectId,
      amountMinor,
      receivableId: await deps.collectionAccounts.receivable(tenant, owner),
      ...given,
    };
    subjects.push(subject);
    return subject;
  }

  /** The line by which the provider takes it. */
  const takenBy = ({ names, amountMinor }: ScriptedSubject, changes: Partial<SettledLine> = {}): SettledLine => ({
    id: names[0] ?? null,
    gross: `-${naira(amountMinor)}`,
    fee: '0',
    ...changes,
  });

  /** The line of a payment as the provider settles it. */
  function lineOf({ providerTransactionId, amountMinor }: CreditHint, changes: Partial<SettledLine> = {}): SettledLine {
    const gross = amountMinor ?? 0n;
    return {
      id: providerTransactionId,
      gross: naira(gross),
      fee: naira(PROVIDER_FEE),
      net: naira(gross - PROVIDER_FEE),
      ...changes,
    };
  }

  const record = (text: string, given: Partial<ProviderSettlementFile> = {}, by = deps) =>
    importProviderSettlement(by, {
      rail: RAIL,
      mode: 'LIVE',
      reference: `S-${randomUUID()}`,
      lumpMinor: 0n,
      settledOn: '2026-11-20',
      cutOff: null,
      fileName: 'settlement.csv',
      open: openText(text),
      importedBy: emailOf('ada'),
      ...given,
    });

  const apply = (settlementId: string, { by = deps, personId = people.bola, note = null as string | null } = {}) =>
    applyProviderSettlement(by, { settlementId, personId, note, limit: 1_000_000 });

  async function linesOf(settlementId: string): Promise<ListedProviderLine[]> {
    const lines: ListedProviderLine[] = [];
    for await (const line of everyProviderLine(database, settlementId, null)) lines.push(line);
    return lines;
  }

  return {
    ...fixture,
    deps,
    another: (database?: Parameters<typeof fixture.another>[0]) => ({ ...fixture.another(database), deductionOwners }),
    subjects,
    takenBy,
    owe,
    emailOf,
    pay,
    lineOf,
    record,
    apply,
    linesOf,
    /** Records what was settled of these payments, with the sum that it comes to, and applies it. */
    async settle(hints: readonly CreditHint[], changes: Partial<SettledLine> = {}) {
      const lumpMinor = hints.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0n) - PROVIDER_FEE, 0n);
      const id = await record(csvOf(hints.map((hint) => lineOf(hint, changes))), { lumpMinor });
      await apply(id, { note: 'Their mail of 20 November says why' });
      return id;
    },
    /** From now on. */
    async rule(availability: Availability, merchantId: string | null, channel: 'CARD' | null = null) {
      await setAvailability(
        { database, clock },
        {
          merchantId,
          mode: 'LIVE',
          availability,
          channel,
          effectiveFrom: undefined,
          source: 'Decided on 20 November',
        },
      );
      clock.advance(NOTICE_MS);
    },
    summary: (settlementId: string) => readProviderSettlement(database, settlementId),
    /** Booked balances of the accounts of a merchant, by kind. */
    async booked({ tenant }: Pick<Payee, 'tenant'>): Promise<Record<string, bigint>> {
      const { rows } = await database.pool.query<{ kind: string; booked: string }>(
        `select kind, sum(credits_posted_minor - debits_posted_minor)::text as booked from accounts
          where merchant_id = $1 and mode = $2 group by kind`,
        [tenant.merchantId, tenant.mode],
      );
      return Object.fromEntries(rows.map(({ kind, booked }) => [kind, BigInt(booked)]));
    },
    /** Lines by result, those without a line left out. */
    async counts(settlementId: string): Promise<Record<string, number>> {
      const { counts } = await readProviderSettlement(database, settlementId);
      return Object.fromEntries(Object.entries(counts).filter(([, lines]) => lines > 0));
    },
  };
}

export type SettlementFixture = Awaited<ReturnType<typeof createSettlementFixture>>;
