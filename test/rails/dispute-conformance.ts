import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/platform/tenant.ts';
import {
  createRailCaller,
  type DisputeHint,
  type DisputeState,
  type ProviderWebhookRequest,
  type Rail,
} from '../../src/rails/index.ts';
import type { Breakage } from './harness.ts';
import type { DisputeSilence, StandInDispute } from './providers/dispute-servers.ts';
import type { StandIn } from './providers/stand-in.ts';

/** What an adapter's test brings: the account against a stand-in of its provider, or the sandbox itself. */
export interface DisputeHarness {
  rail: Rail;
  tenant: Tenant;
  /** Somebody disputes a transaction of the provider. @returns its number there */
  open(facts: { amountMinor: bigint; transactionId: string }): Promise<string>;
  /** What the provider says of it from now on; `unlisted`: a status that its documentation does not have. */
  setState(id: string, state: DisputeState | 'silence' | 'unlisted'): Promise<void>;
  webhook(id: string): ProviderWebhookRequest;
  /** The same from somebody without the secret, in several ways. */
  forgedWebhooks(id: string): ProviderWebhookRequest[];
  /** With the right signature, about something else. */
  otherWebhook(): ProviderWebhookRequest;
  /** Of answers that the provider took. */
  answers(id: string): Promise<number>;
  /** What a provider behind an HTTP API brings too. */
  provider?: {
    server: StandIn;
    /** What it was answered with. */
    said(id: string): StandInDispute['said'];
    /** One fact of it is missing or cannot be read from now on, or it is about another dispute. */
    spoil(id: string, fact: StandInDispute['wrong']): void;
    /** The next of these calls gets no answer; undefined: all do. */
    silence(what: DisputeSilence | undefined): void;
    /** The same adapter where nothing listens. */
    unreachable: Rail;
    /** What nobody may read. */
    secrets: readonly string[];
  };
  close(): Promise<void>;
}

/** How a kind of provider differs, where that is in its nature. docs/rails.md has the same table. */
export interface DisputeTraits {
  /** A provider's HTTP API: its bad answers are tested too, and the harness has `provider`. */
  overHttp?: true;
}

const DAY_MS = 24 * 60 * 60_000;
const DEADLINE_MS = 400;
const BREAKAGES: readonly Breakage[] = [
  'http-500',
  'http-502-html',
  'truncated-json',
  'empty',
  'not-json',
  'error-in-200',
  'rate-limited',
  'redirect',
  'reset',
];

/** The suite that every provider with disputes passes, whatever is behind it. */
export function describeDisputes(
  name: string,
  makeHarness: () => Promise<DisputeHarness>,
  traits: DisputeTraits,
): void {
  describe(`the disputes of ${name} as those of every provider`, () => {
    let harness: DisputeHarness;
    beforeAll(async () => {
      harness = await makeHarness();
    });
    beforeEach(() => harness.provider?.silence(undefined));
    afterAll(() => harness.close());

    const callerOf = (rail = harness.rail) => {
      const short = { sendTimeoutMs: DEADLINE_MS, queryTimeoutMs: DEADLINE_MS, accountTimeoutMs: DEADLINE_MS };
      const disputes = createRailCaller(rail, { limits: { ...short, breakerCalls: 1_000 } }).wallets?.disputes;
      if (disputes === undefined) throw new Error('it has no disputes');
      return disputes;
    };
    const providerOf = () => {
      if (harness.provider === undefined) throw new Error('it is behind no HTTP API');
      return harness.provider;
    };
    const transactionId = '4711';
    const AMOUNT_MINOR = 100_01n;
    const open = (amountMinor = AMOUNT_MINOR) => harness.open({ amountMinor, transactionId });
    const query = (providerDisputeId: string) => callerOf().queryDispute({ providerDisputeId });
    const evidence = () => ({
      message: 'It was delivered',
      customerName: 'Adaeze Obi',
      customerEmail: 'adaeze@example.com',
      customerPhone: '2348012345678',
      serviceDetails: 'A table',
      deliveryAddress: null,
      deliveryDate: '2026-11-20',
      files: Array.from({ length: callerOf().capabilities.evidenceFiles }, (_, at) => ({
        fileName: `proof-${at}.pdf`,
        contentType: 'application/pdf',
        content: Buffer.from('%PDF-1.7'),
      })),
    });
    const request = (id: string) => ({
      tenant: harness.tenant,
      providerDisputeId: id,
      amountMinor: AMOUNT_MINOR,
    });
    const accept = (id: string) => callerOf().acceptDispute(request(id));
    const contest = (id: string) => callerOf().contestDispute({ ...request(id), evidence: evidence() });

    it('say what is wanted back of which transaction, to the kobo, and until when it can be answered', async () => {
      const id = await open(123_45n);
      const answer = await query(id);
      expect(answer).toMatchObject({
        outcome: 'found',
        dispute: {
          providerDisputeId: id,
          state: 'open',
          providerTransactionId: transactionId,
          amountMinor: 123_45n,
          currency: 'NGN',
        },
      });
      expect('dispute' in answer && answer.dispute.dueAt).toBeInstanceOf(Date);
    });

    it.each(['evidence_sent', 'won', 'lost', 'accepted'] as const)(
      'are %s where the provider lists them so',
      async (state) => {
        const id = await open();
        await harness.setState(id, state);
        expect(await query(id)).toMatchObject({ outcome: 'found', dispute: { state, bySilence: false } });
      },
    );

    it('say that silence lost one', async () => {
      const id = await open();
      await harness.setState(id, 'silence');
      expect(await query(id)).toMatchObject({ dispute: { state: 'lost', bySilence: true } });
    });

    it('are not found where there is none', async () => {
      expect((await query('999999')).outcome).toBe('not_found');
    });

    it('are each once in the list of their time, over all its pages', async () => {
      const ids = [];
      for (let count = 0; count < 4; count += 1) ids.push(await open());
      const now = Date.now();
      const listed: DisputeHint[] = [];
      let cursor: string | null = null;
      do {
        const window = { from: new Date(now - DAY_MS), to: new Date(now + DAY_MS), cursor };
        const page = await callerOf().listDisputes(window);
        expect(page.unreadable).toEqual([]);
        listed.push(...page.disputes);
        cursor = page.next;
      } while (cursor !== null);
      for (const id of ids) {
        expect(listed.filter(({ providerDisputeId }) => providerDisputeId === id)).toHaveLength(1);
      }
    });

    it('are accepted, and then say so', async () => {
      const id = await open();
      expect((await accept(id)).outcome).toBe('taken');
      expect(await query(id)).toMatchObject({ dispute: { state: 'accepted' } });
      expect(await harness.answers(id)).toBe(1);
    });

    it('are contested with evidence, and then wait for the bank', async () => {
      const id = await open();
      expect((await contest(id)).outcome).toBe('taken');
      expect(await query(id)).toMatchObject({ dispute: { state: 'evidence_sent' } });
      expect(await harness.answers(id)).toBe(1);
    });

    it('take no second answer, whichever was first', async () => {
      for (const [first, second] of [
        [accept, contest],
        [contest, accept],
      ] as const) {
        const id = await open();
        await first(id);
        expect(await second(id)).toMatchObject({ outcome: 'refused', reason: 'DISPUTE_CLOSED' });
        expect(await harness.answers(id)).toBe(1);
      }
    });

    it('are named by their webhooks, and by none that is forged or about something else', async () => {
      const id = await open();
      const disputes = callerOf();
      expect(await disputes.readDisputeWebhook(harness.webhook(id))).toEqual([{ providerDisputeId: id }]);
      expect(await disputes.readDisputeWebhook(harness.otherWebhook())).toEqual([]);
      for (const forged of harness.forgedWebhooks(id)) {
        await expect(disputes.readDisputeWebhook(forged)).rejects.toMatchObject({
          code: 'PROVIDER_WEBHOOK_SIGNATURE_INVALID',
        });
      }
    });

    describe.runIf(traits.overHttp)('behind an HTTP API', () => {
      it('are unknown with a status that is not listed', async () => {
        const id = await open();
        await harness.setState(id, 'unlisted');
        // Its words are for people, who end it.
        const unlisted = { providerDisputeId: id, state: 'unlisted', said: 'gone_fishing', amountMinor: AMOUNT_MINOR };
        expect(await query(id)).toMatchObject({ outcome: 'unknown', unlisted });
      });

      it.each(['amount', 'transaction', 'another'] as const)(
        'are unknown where the %s cannot be told from the answer',
        async (fact) => {
          const id = await open();
          providerOf().spoil(id, fact);
          expect((await query(id)).outcome).toBe('unknown');
        },
      );

      it('are contested with every word and the file itself', async () => {
        const id = await open();
        await contest(id);
        const said = providerOf().said(id);
        for (const words of ['It was delivered', 'Adaeze Obi', 'A table', '2026-11-20']) {
          expect(said?.words).toContain(words);
        }
        expect(said?.file).toBe(callerOf().capabilities.evidenceFiles > 0 ? '%PDF-1.7' : null);
      });

      it.each(['accept', 'contest'] as const)(
        'whose %s got no answer end by the deadline, are found out by a query, and take no other',
        async (how) => {
          const answer = how === 'accept' ? accept : contest;
          const id = await open();
          providerOf().silence('answer-executed');
          expect(await answer(id)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_TIMEOUT' });
          expect(await query(id)).toMatchObject({
            dispute: { state: how === 'accept' ? 'accepted' : 'evidence_sent' },
          });
          expect((await answer(id)).outcome).not.toBe('taken');
          expect(await harness.answers(id)).toBe(1);
        },
      );

      it('whose answer was lost are still open, and take it when it is sent again, once', async () => {
        const id = await open();
        providerOf().silence('answer-lost');
        expect(await contest(id)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_TIMEOUT' });
        expect(await query(id)).toMatchObject({ dispute: { state: 'open' } });
        expect((await contest(id)).outcome).toBe('taken');
        expect(await harness.answers(id)).toBe(1);
      });

      it('are unknown by the deadline where a query hangs', async () => {
        const id = await open();
        providerOf().silence('query');
        expect(await query(id)).toMatchObject({ outcome: 'unknown', reason: 'RAIL_TIMEOUT' });
      });

      it.each(BREAKAGES)('are unknown, unlisted and unanswered where the provider says %s', async (how) => {
        const { server } = providerOf();
        const id = await open();
        server.breakNext('queryDispute', how);
        expect((await query(id)).outcome).toBe('unknown');
        server.breakNext('answerDispute', how);
        expect((await accept(id)).outcome).toBe('unknown');
        expect(await query(id)).toMatchObject({ dispute: { state: 'open' } });
        server.breakNext('listDisputes', how);
        const window = { from: new Date(Date.now() - DAY_MS), to: new Date(), cursor: null };
        await expect(callerOf().listDisputes(window)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      });

      it('are unknown where nothing listens', async () => {
        const disputes = callerOf(providerOf().unreachable);
        const id = await open();
        expect((await disputes.queryDispute({ providerDisputeId: id })).outcome).toBe('unknown');
        expect((await disputes.acceptDispute(request(id))).outcome).toBe('unknown');
        expect(await harness.answers(id)).toBe(0);
      });

      it('keep the keys out of every answer, body and upload', async () => {
        const { server, secrets } = providerOf();
        const id = await open();
        const said = [await query(id), await contest(id), await accept(id), await query('999999')];
        const uploads = server.requests.filter(({ path }) => path.startsWith('/upload/'));
        for (const { headers } of uploads) expect(headers.authorization).toBeUndefined();
        const bodies = server.requests.map(({ path, text }) => `${path} ${text}`).join();
        const answers = JSON.stringify(said, (_, value) => (typeof value === 'bigint' ? String(value) : value));
        for (const secret of secrets) expect(`${answers}${bodies}`).not.toContain(secret);
      });
    });
  });
}
