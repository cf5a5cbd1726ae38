import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type BeneficiaryAccount,
  differencesOf,
  type RailCaller,
  type ReportedFacts,
  type SendRequest,
  type TransferFact,
} from '../../src/rails/index.ts';
import { hashFile, readFile } from '../../src/reconciliation/read-file.ts';
import { payoutFormat } from '../../src/reconciliation/read-line.ts';
import { reportedByLine } from '../../src/reconciliation/resolve-line.ts';
import { collected, openText } from '../reconciliation/files.ts';
import { createHurriedCaller } from '../support/hurried-caller.ts';
import {
  type FalseFacts,
  type FileFacts,
  newReference,
  type RailHarness,
  type RailTraits,
  type ReportedIn,
} from './harness.ts';
import { describeProvider } from './provider-conformance.ts';

/** A send that gets no answer by plan is abandoned after this: by then a stand-in on a busy machine has taken it in. */
const ABANDON_AFTER_MS = 1_000;

/** Another transfer than the one that was sent, by one fact. */
const OTHER: Readonly<Record<Exclude<TransferFact, 'bankCode'>, FalseFacts>> = {
  amountMinor: { amountMinor: 1n },
  currency: { currency: 'GHS' },
  accountNumber: { accountNumber: '0000000018' },
  railReference: { reference: '0'.repeat(32) },
};
const OTHERS = Object.keys(OTHER) as (keyof typeof OTHER)[];

/** The suite that every rail passes, whatever is behind it. */
export function describeRail(name: string, makeRail: () => Promise<RailHarness>, traits: RailTraits): void {
  const paid = traits.concludesLater ? 'unknown' : 'succeeded';

  describe(`the ${name} rail as every rail`, () => {
    let harness: RailHarness;
    let caller: RailCaller;

    beforeAll(async () => {
      harness = await makeRail();
      // The breaker has its own tests: here calls without an answer are asked for on purpose.
      const { unansweredExecuted, unansweredLost } = harness.accounts;
      const unanswered = new Set([unansweredExecuted.accountNumber, unansweredLost.accountNumber]);
      caller = createHurriedCaller(harness.rail, {
        isUnanswered: ({ accountNumber }) => unanswered.has(accountNumber),
        abandonAfterMs: ABANDON_AFTER_MS,
        limits: { breakerCalls: 1_000 },
      });
    });
    afterAll(() => harness.close());

    const enquiry = (account: BeneficiaryAccount) => ({ tenant: harness.tenant, ...account });
    const payment = (account: BeneficiaryAccount, changes: Partial<SendRequest> = {}): SendRequest => ({
      tenant: harness.tenant,
      railReference: newReference(),
      amountMinor: 12_345n,
      currency: 'NGN',
      accountName: 'ADAEZE OBI',
      narration: 'conformance',
      ...account,
      ...changes,
    });
    const query = (request: SendRequest) => caller.query(request);

    it('finds the name of an account, and the same one each time', async () => {
      const first = await caller.nameEnquiry(enquiry(harness.accounts.plain));
      expect(first).toMatchObject({ outcome: 'found', reason: null });
      expect(first.accountName).toMatch(/\S/);
      expect((await caller.nameEnquiry(enquiry(harness.accounts.plain))).accountName).toBe(first.accountName);
    });

    it('says not found, with a reason and no name, of an account that the bank does not have', async () => {
      const answer = await caller.nameEnquiry(enquiry(harness.accounts.nameNotFound));
      expect(answer).toMatchObject({
        outcome: 'not_found',
        accountName: null,
        reason: expect.stringMatching(/^[A-Z_]+$/),
      });
    });

    it('sends, answers with the rail code and a session id, and says the same when queried', async () => {
      const request = payment(harness.accounts.plain);
      const answer = await caller.send(request);
      expect(answer).toMatchObject({ outcome: paid, sent: true, code: expect.any(String) });
      const asked = await query(request);
      expect(asked.outcome).toBe('succeeded');
      expect(asked.sessionId).toMatch(/\S/);
      if (!traits.concludesLater) expect(answer.sessionId).toBe(asked.sessionId);
      expect(await harness.executions(request.railReference)).toBe(1);
    });

    it('executes the same reference once, sent one after the other', async () => {
      const request = payment(harness.accounts.plain);
      await caller.send(request);
      expect((await caller.send(request)).outcome).not.toBe('failed');
      expect(await harness.executions(request.railReference)).toBe(1);
    });

    it('executes the same reference once, sent ten times at the same moment', async () => {
      const request = payment(harness.accounts.plain);
      const answers = await Promise.all(Array.from({ length: 10 }, () => caller.send(request)));
      expect(answers.map((answer) => answer.outcome)).not.toContain('failed');
      expect(await harness.executions(request.railReference)).toBe(1);
      expect((await query(request)).outcome).toBe('succeeded');
    });

    it('ends nothing by an answer to another amount under a known reference, and leaves the first as it was', async () => {
      const request = payment(harness.accounts.plain);
      await caller.send(request);
      const other = { ...request, amountMinor: request.amountMinor + 1n };
      const { outcome, reported } = await caller.send(other);
      if (outcome !== 'unknown') expect(differencesOf(other, reported)).toEqual(['amountMinor']);
      expect((await query(request)).outcome).toBe('succeeded');
      expect(await harness.executions(request.railReference)).toBe(1);
    });

    it('reports a definite failure as failed, with code and reason, and pays nothing', async () => {
      const request = payment(harness.accounts.definiteFailure);
      const failed = { outcome: 'failed', code: expect.any(String), reason: expect.stringMatching(/^[A-Z_]+$/) };
      const answer = await caller.send(request);
      if (!traits.concludesLater) expect(answer).toMatchObject(failed);
      expect(answer.outcome).not.toBe('succeeded');
      expect(await query(request)).toMatchObject(failed);
      expect(await harness.executions(request.railReference)).toBe(0);
    });

    it('reports a send without an answer as unknown when the transfer was executed; a query finds the success', async () => {
      const request = payment(harness.accounts.unansweredExecuted);
      expect(await caller.send(request)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_TIMEOUT', sent: true });
      expect((await query(request)).outcome).toBe('succeeded');
      expect(await harness.executions(request.railReference)).toBe(1);
    });

    it('reports a send without an answer as unknown when the transfer was lost; a query says not found, never failed', async () => {
      const request = payment(harness.accounts.unansweredLost);
      expect(await caller.send(request)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_TIMEOUT', sent: true });
      expect((await query(request)).outcome).toBe('not_found');
      expect(await harness.executions(request.railReference)).toBe(0);
    });

    it('reports pending and codes that nobody lists as unknown, with a reason', async () => {
      for (const account of [harness.accounts.pending, harness.accounts.unlistedCode]) {
        const unknown = { outcome: 'unknown', code: expect.any(String), reason: expect.stringMatching(/^[A-Z_]+$/) };
        expect(await caller.send(payment(account))).toMatchObject(unknown);
      }
    });

    it('says not found of a reference that was never sent', async () => {
      expect((await query(payment(harness.accounts.plain))).outcome).toBe('not_found');
    });

    it('sends nothing once its signal is aborted, and stops when it is aborted during the call', async () => {
      const request = payment(harness.accounts.plain);
      await expect(harness.rail.send(request, AbortSignal.abort())).rejects.toThrow();
      expect(await harness.executions(request.railReference)).toBe(0);

      const startedAt = performance.now();
      const lost = payment(harness.accounts.unansweredLost);
      await expect(harness.rail.send(lost, AbortSignal.timeout(50))).rejects.toThrow();
      expect(performance.now() - startedAt).toBeLessThan(15_000);
    });

    it('reports its balance in minor units; a transfer lowers it by its amount', async () => {
      const before = await caller.balance(harness.tenant);
      expect(before.currency).toMatch(/^[A-Z]{3}$/);
      await caller.send(payment(harness.accounts.plain, { amountMinor: 700n }));
      expect((await caller.balance(harness.tenant)).availableMinor).toBe(before.availableMinor - 700n);
    });

    /** What each kind of answer reports of a transfer, from a provider that reports false facts of every transfer, or none. */
    const answers: Record<
      keyof ReportedIn,
      (falseFacts?: FalseFacts) => Promise<{ sent: SendRequest; reported: ReportedFacts }>
    > = {
      async send(falseFacts) {
        const sent = payment(harness.accounts.plain, harness.misreport(falseFacts));
        return { sent, reported: (await caller.send(sent)).reported };
      },
      async query(falseFacts) {
        const { sent } = await answers.send(falseFacts);
        return { sent, reported: (await query(sent)).reported };
      },
      async webhook(falseFacts) {
        const { sent } = await answers.send(falseFacts);
        const facts = { ...sent, outcome: 'succeeded' as const, account: harness.accounts.plain };
        const [providerWebhook] = await caller.verifyWebhook(harness.webhook(facts));
        return { sent, reported: providerWebhook!.answer.reported };
      },
      async settlement({ reference, ...falseFacts } = {}) {
        const sent = payment(harness.accounts.plain);
        const { railReference, amountMinor, currency, bankCode, accountNumber } = sent;
        const honest: FileFacts = { railReference, amountMinor, currency, bankCode, accountNumber };
        const facts = { ...honest, ...falseFacts, ...(reference === undefined ? {} : { railReference: reference }) };
        const { text, amountsInKobo } = harness.settlementFile(facts);
        const hash = await hashFile(openText(text));
        const [line] = (
          await collected(readFile(openText(text), { hash, format: payoutFormat({ amountsInKobo }) }))
        ).flat();
        const { reference: named, amountMinor: amount_minor, accountNumber: account_number, bankCode: bank } = line!;
        const row = { reference: named, amount_minor, currency: line!.currency, account_number, bank_code: bank };
        return { sent, reported: reportedByLine(row) };
      },
    };

    describe.each(Object.keys(answers) as (keyof ReportedIn)[])('in a %s', (kind) => {
      const given = traits.reports[kind];
      afterEach(() => void harness.misreport(undefined));

      it(`reports the ${given.join(', ')} that was sent, and nothing else`, async () => {
        const { sent, reported } = await answers[kind]();
        expect(differencesOf(sent, reported)).toEqual([]);
        // A file that names no currency is in naira.
        const named = {
          ...reported,
          ...(kind === 'settlement' && !given.includes('currency') ? { currency: null } : {}),
        };
        const facts = Object.entries(named).filter(([, fact]) => fact !== null);
        expect(facts.map(([fact]) => fact).sort()).toEqual([...given].sort());
      });

      it.each(OTHERS.filter((fact) => given.includes(fact)))('says so where it is about another %s', async (fact) => {
        const { sent, reported } = await answers[kind](OTHER[fact]);
        expect(differencesOf(sent, reported)).toEqual([fact]);
      });
    });

    it('refuses a webhook that it did not sign', async () => {
      const request = { headers: { 'content-type': 'application/json' }, rawBody: Buffer.from('{"code":"00"}') };
      await expect(harness.rail.verifyWebhook(request)).rejects.toMatchObject({
        code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID',
      });
    });

    it('says for itself how long its "not found" is no news, or leaves it to the default', () => {
      const { notFoundAfterMs } = harness.rail;
      if (notFoundAfterMs !== undefined) expect(notFoundAfterMs).toBeGreaterThanOrEqual(60_000);
    });
  });
  if (traits.overHttp !== undefined) describeProvider(name, makeRail, traits.overHttp);
}
