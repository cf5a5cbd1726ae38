import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { confirmOutcome } from '../../src/outcomes/confirm-outcome.ts';
import { proposeOutcome } from '../../src/outcomes/propose-outcome.ts';
import type { ProposedOutcome } from '../../src/outcomes/queries.ts';
import type { PayoutDeps, PayoutRecord } from '../../src/payouts/index.ts';
import { resolveLine } from '../../src/reconciliation/index.ts';
import { createPayoutWorker } from '../../src/workers.ts';
import { createPayoutFixture, type Merchant, type PayoutFixture, payment, railsOf } from '../payouts/payout-fixture.ts';
import {
  answerOf,
  DECLINED,
  NOT_FOUND,
  PAID,
  reportOf,
  type ScriptedRail,
  scriptedRail,
  UNKNOWN,
} from '../payouts/scripted-rail.ts';
import { brokenChecks } from '../support/proof.ts';
import { addOperator, codeOf, csvOf, importText, payoutOf } from './files.ts';

type Said = typeof PAID;

const REVERSED: Said = { outcome: 'reversed', reason: 'RAIL_REVERSED' };
/** What a payout of 1,000 naira costs with its charges. */
const GONE = 101_075n;

/** What each source says of the one payout. */
interface Words {
  send: Said;
  webhook: Said;
  requery: Said;
  line: 'successful' | 'failed' | 'reversed';
  operators: ProposedOutcome;
}

let rail: ScriptedRail;
let fixture: PayoutFixture;
let merchant: Merchant;
let other: Awaited<ReturnType<PayoutFixture['otherProcess']>>;
let people: { ada: string; bola: string; chidi: string };
/** The send is at the rail, and its answer waits. */
let gate: { reached: PromiseWithResolvers<void>; answer: PromiseWithResolvers<Said> } | undefined;

beforeAll(async () => {
  rail = scriptedRail(
    'first',
    {},
    {
      verifyWebhook: async ({ rawBody }) => {
        const { payout, said } = JSON.parse(rawBody.toString()) as { payout: PayoutRecord; said: Said };
        return [rail.providerWebhook({ ...payout, amount_minor: BigInt(payout.amount_minor) }, said)];
      },
    },
  );
  const { caller } = rail;
  const send: typeof caller.send = async (request, ...rest) => {
    if (gate === undefined) return caller.send(request, ...rest);
    rail.sends.push(request);
    gate.reached.resolve();
    return { ...answerOf(await gate.answer.promise, reportOf(request)), sent: true };
  };
  fixture = await createPayoutFixture({ rails: railsOf({ ...caller, send }) });
  merchant = await fixture.addMerchant();
  other = await fixture.otherProcess();
  const [ada, bola, chidi] = [
    await addOperator(fixture, 'ada'),
    await addOperator(fixture, 'bola'),
    await addOperator(fixture, 'chidi'),
  ];
  people = { ada, bola, chidi };
});
afterEach(() => {
  gate = undefined;
});
afterAll(async () => {
  expect(await brokenChecks(fixture.database)).toEqual([]);
  await other.close();
  await fixture.close();
});

/** A second send under way: the first brought nothing, and the rail said later that it had never come. */
async function sentAgain(): Promise<{ payout: PayoutRecord; running: Promise<unknown> }> {
  rail.send = UNKNOWN;
  rail.query = NOT_FOUND;
  const reply = await merchant.call('POST', '/payout/single', payment());
  await fixture.worker.runOnce();
  gate = { reached: Promise.withResolvers(), answer: Promise.withResolvers() };
  // Long enough after the first that it counts as never received.
  fixture.clock.advance(3_600_000);
  const running = fixture.worker.runOnce();
  await gate.reached.promise;
  return { payout: await payoutOf(fixture, merchant, reply.body.data.transactionId), running };
}

function webhook(payout: PayoutRecord, said: Said) {
  const text = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return fixture.server.inject({
    method: 'POST',
    url: '/rail/sandbox/first/webhook',
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ payout, said }, text),
  });
}

/** Everybody at one moment, beginning with another one each round. @returns the codes of those who act for people. */
async function atOneMoment(words: Words, round: number) {
  const { payout, running } = await sentAgain();
  const { tenant } = merchant;
  const at = new Date(fixture.clock.now().getTime() - round * 1_000);
  const text = csvOf([{ reference: payout.rail_reference, status: words.line }], at);
  const { id: importId, lines } = await importText(fixture.deps, merchant, text, { rail: 'first' });
  const proposal = { tenant, payoutId: payout.id, outcome: words.operators, source: 'BANK_LETTER' } as const;
  const note = 'Letter of the bank of today';
  const proposed = await proposeOutcome(fixture.deps, { ...proposal, note, personId: people.ada });
  rail.query = words.requery;
  const apply = (deps: PayoutDeps, personId: string) =>
    codeOf(resolveLine(deps, { importId, lineId: lines[0]!.id, how: 'APPLY', note: null, personId }));
  const confirm = (deps: PayoutDeps, personId: string) =>
    codeOf(confirmOutcome(deps, { tenant, ...proposed, personId }));
  const all: (() => Promise<unknown>)[] = [
    async () => gate?.answer.resolve(words.send),
    () => webhook(payout, words.webhook),
    () => merchant.call('POST', '/transaction/requery', { transactionId: payout.id }),
    () => apply(fixture.deps, people.bola),
    () => confirm(other.deps, people.bola),
    () => apply(other.deps, people.chidi),
    () => webhook(payout, words.webhook),
    () => confirm(fixture.deps, people.chidi),
    () => createPayoutWorker(other.deps).runOnce(),
  ];
  const turned = [...all.slice(round), ...all.slice(0, round)];
  await Promise.all([running, ...turned.map((one) => one())]);
  gate = undefined;
  return payoutOf(fixture, merchant, payout.id);
}

async function traceOf({ id }: PayoutRecord) {
  const { rows: transfers } = await fixture.database.pool.query<{ kind: string; count: number }>(
    `select kind, count(*)::int as count from transfers where transaction_id = $1 group by kind`,
    [id],
  );
  const { rows: events } = await fixture.database.pool.query<{ type: string }>(
    `select type from events where subject_id = $1 and type in ('payout.succeeded', 'payout.failed', 'payout.reversed')
      order by sequence`,
    [id],
  );
  const { rows: attempts } = await fixture.database.pool.query<{ kind: string }>(
    `select distinct kind from payout_attempts where payout_id = $1 and ended_at is not null`,
    [id],
  );
  const of = (kind: string) => transfers.find((one) => one.kind === kind)?.count ?? 0;
  return {
    holds: of('PENDING'),
    posted: of('POST'),
    voided: of('VOID'),
    ends: events.map(({ type }) => type),
    kinds: attempts.map(({ kind }) => kind),
  };
}

const SAY_PAID: Words = { send: PAID, webhook: PAID, requery: PAID, line: 'successful', operators: 'SUCCEEDED' };
const SAY_FAILED: Words = {
  send: DECLINED,
  webhook: DECLINED,
  requery: DECLINED,
  line: 'failed',
  operators: 'FAILED',
};
/** Who is first: the answer to the send, a webhook, the file, the operators, a requery, another webhook, a worker. */
const ROUNDS = [0, 1, 3, 4, 2, 6, 8];
/** Of those who contradict each other; `npm run test:long` has all of them. */
const CONTRADICTED = ROUNDS.slice(0, Number(process.env['ONE_MOMENT_ROUNDS'] ?? 4));

describe('send, provider webhook, requery, settlement line and two operators on one payout at one moment', () => {
  it.each([
    ['paid', SAY_PAID, 'SUCCESS', 'payout.succeeded'],
    ['failed', SAY_FAILED, 'FAILED', 'payout.failed'],
  ] as const)(
    'end it once where all say %s, whoever is first',
    async (_what, words, status, event) => {
      for (const round of ROUNDS) {
        const before = (await merchant.balance()).bookedMinor;
        const payout = await atOneMoment(words, round);
        expect(payout.status).toBe(status);
        const { holds, posted, voided, ends, kinds } = await traceOf(payout);
        expect([posted, voided]).toEqual(status === 'SUCCESS' ? [holds, 0] : [0, holds]);
        expect(ends).toEqual([event]);
        // Nobody's word is lost, whoever was late.
        expect(kinds).toEqual(expect.arrayContaining(['SEND', 'QUERY', 'PROVIDER_WEBHOOK']));
        expect(new Set(rail.sends.map(({ railReference }) => railReference))).toContain(payout.rail_reference);
        const after = await merchant.balance();
        expect(before - after.bookedMinor).toBe(status === 'SUCCESS' ? GONE : 0n);
        expect(after.availableMinor).toBe(after.bookedMinor);
        expect(payout.operator_reason).toBeNull();
      }
    },
    120_000,
  );

  it.each([
    ['rail paid, people failed', { ...SAY_PAID, operators: 'FAILED' }],
    ['rail failed, people paid', { ...SAY_FAILED, operators: 'SUCCEEDED' }],
    ['webhook failed, the rest paid', { ...SAY_PAID, webhook: DECLINED }],
    ['file failed, the rest paid', { ...SAY_PAID, line: 'failed' }],
    ['send failed, requery paid', { ...SAY_PAID, send: DECLINED }],
    ['nothing known by the call, the rest paid', { ...SAY_PAID, send: UNKNOWN, requery: UNKNOWN }],
    ['came back by webhook, the rest paid', { ...SAY_PAID, webhook: REVERSED }],
    ['came back by file, the rest paid', { ...SAY_PAID, line: 'reversed' }],
  ] as [string, Words][])(
    'end it once where they contradict each other, and people see it: %s',
    async (_what, words) => {
      for (const round of CONTRADICTED) {
        const before = (await merchant.balance()).bookedMinor;
        const payout = await atOneMoment(words, round);
        const { holds, posted, voided, ends } = await traceOf(payout);
        const wasPaid = payout.status === 'SUCCESS' || payout.status === 'REVERSED';
        expect(['SUCCESS', 'FAILED', 'REVERSED']).toContain(payout.status);
        expect([posted, voided]).toEqual(wasPaid ? [holds, 0] : [0, holds]);
        expect(ends[0]).toBe(wasPaid ? 'payout.succeeded' : 'payout.failed');
        expect(ends.slice(1)).toEqual(payout.status === 'REVERSED' ? ['payout.reversed'] : []);
        const after = await merchant.balance();
        expect(before - after.bookedMinor).toBe(payout.status === 'SUCCESS' ? GONE : 0n);
        expect(after.availableMinor).toBe(after.bookedMinor);
        await expectContradictionSeen(payout);
      }
    },
    240_000,
  );
});

/** A rail's word against the end that the books have is before people, unless two of them decided after it. */
async function expectContradictionSeen(payout: PayoutRecord): Promise<void> {
  const { rows } = await fixture.database.pool.query<{ kind: string; outcome: string }>(
    `select kind, outcome from payout_attempts where payout_id = $1 and ended_at is not null order by ended_at, id`,
    [payout.id],
  );
  const opposite = payout.status === 'FAILED' ? 'succeeded' : 'failed';
  const contradicted =
    payout.status !== 'REVERSED' && rows.some((row) => row.kind !== 'OPERATOR' && row.outcome === opposite);
  const decided = rows.some(({ kind }) => kind === 'OPERATOR');
  if (contradicted && !decided) expect(payout.operator_reason, JSON.stringify(rows)).toBe('RAIL_CONTRADICTS');
}
