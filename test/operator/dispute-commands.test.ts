import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Container, createContainer } from '../../src/container.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { signedInOperator, type TestPerson } from '../support/people.ts';
import { terminalOf } from '../support/terminal.ts';
import { rowsOf } from '../support/world.ts';

const NOTE = 'The provider wrote on 20 November, ticket 4711';

let t: TestApp;
let container: Container;
let ada: TestPerson;
let bola: TestPerson;
let printed: string[];
let warned: string[];

beforeAll(async () => {
  t = await createTestApp();
  const { config, database, secrets, clock } = t;
  container = createContainer({ config, database, secrets, clock, logger: createLogger('silent') });
  ada = await signedInOperator(t);
  bola = await signedInOperator(t);
});
afterAll(async () => {
  await container.ledger.drain();
  await t.close();
});

async function admin(...argv: string[]): Promise<number> {
  const answer = await terminalOf(t, container)(...argv);
  ({ printed, warned } = answer);
  return answer.exit;
}

/** A payment in of the sandbox; `rail`: as if it had come by another provider account. @returns its id */
async function paid(rail?: string): Promise<string> {
  const { body } = await t.call('GET', '/wallet/merchant');
  const { accountNumber } = body.data.wallet;
  await t.call('POST', '/sandbox/collection/pay', { accountNumber, amount: 1_000 });
  await t.app.worker.runOnce();
  await container.sandbox.deliverAllDueWebhooks(container.jobs);
  const [{ paymentId }] = (await t.call('GET', '/collection/payment?size=1')).body.data.records;
  if (rail !== undefined) {
    await rowsOf(t.connectionString, 'update inbound_payments set rail = $2 where id = $1', [paymentId, rail]);
  }
  return paymentId;
}

const available = async () => (await t.call('GET', '/wallet/merchant')).body.data.wallet.availableBalance;

describe('the commands for disputes', () => {
  it('enter one and end it through the second person, by the digest that was shown, and not by the first', async () => {
    const of = ['--merchant', t.merchant.merchantId, '--mode', 'sandbox'];
    const known = ['--source', 'RAIL_SUPPORT', '--note', NOTE];
    expect(await admin('list-disputes')).toBe(0);
    expect([printed, warned]).toEqual([[], ['No dispute runs.']]);
    const facts = ['--number', 'CB-1', '--amount', '600.50', '--category', 'CHARGEBACK', ...known];
    const asked = ['--payment', await paid(), '--rail', 'sandbox', ...facts, '--email', ada.email];
    expect(await admin('propose-dispute', ...of, ...asked)).toBe(1);
    expect(warned[0]).toContain('DISPUTE_ASKED_OF_PROVIDER');
    const payment = ['--payment', await paid('letters'), '--rail', 'letters'];
    const before = await available();
    const due = ['--due-at', '2030-01-02T12:00:00Z', '--message', 'Not mine'];
    expect(await admin('propose-dispute', ...of, ...payment, ...facts, ...due, '--email', ada.email)).toBe(0);
    const [proposal = ''] = printed;
    expect(await available()).toBe(before);
    expect(await admin('list-dispute-proposals')).toBe(0);
    expect(printed).toEqual([expect.stringContaining(`RAIL_SUPPORT, ${NOTE}\tdigest `)]);
    const shown = [...of, '--proposal', proposal, '--digest', /digest (\w+)/.exec(printed[0] ?? '')?.[1] ?? ''];
    expect(await admin('confirm-dispute', ...shown, '--email', ada.email)).toBe(1);
    expect(warned[0]).toContain('SECOND_PERSON_NEEDED');
    expect(await admin('confirm-dispute', ...shown, '--email', bola.email)).toBe(0);
    const [disputeId = ''] = printed[0]?.split('\t') ?? [];
    expect(await available()).toBe(before - 600.5);
    expect(await admin('confirm-dispute', ...shown, '--email', bola.email)).toBe(1);
    expect(warned[0]).toContain('DISPUTE_PROPOSAL_DECIDED');

    expect(await admin('list-disputes')).toBe(0);
    expect(printed).toEqual([expect.stringContaining('letters CB-1')]);
    const dispute = [...of, '--dispute', disputeId];
    expect(await admin('propose-dispute-end', ...dispute, '--outcome', 'WON', ...known, '--email', bola.email)).toBe(0);
    await admin('list-dispute-proposals');
    const [end = ''] = printed;
    const ending = [...of, '--proposal', end.split('\t')[2] ?? '', '--digest', /digest (\w+)/.exec(end)?.[1] ?? ''];
    expect(await admin('confirm-dispute', ...ending, '--email', ada.email)).toBe(0);
    expect(await available()).toBe(before);
    expect(await admin('show-dispute', ...dispute)).toBe(0);
    expect(printed.filter((line) => line.startsWith('said\t'))).toHaveLength(2);
    expect(printed.filter((line) => line.startsWith('proposal\t'))).toHaveLength(2);
    expect(warned[0]).toContain('It was won. Where it is lost after all, two people say so');
  });

  it('turn a proposal down with the reason, and say what is wrong with a moment', async () => {
    const of = ['--merchant', t.merchant.merchantId, '--mode', 'sandbox'];
    const facts = ['--number', 'CB-2', '--amount', '10', '--category', 'FRAUD', '--source', 'OTHER', '--note', NOTE];
    const said = [...of, '--payment', await paid('letters'), '--rail', 'letters', ...facts, '--email', ada.email];
    for (const moment of ['soon', '2030-01-02', '2030-01-02T12:00:00']) {
      expect(await admin('propose-dispute', ...said, '--due-at', moment)).not.toBe(0);
      expect(warned[0]).toContain('--due-at must be a date and time with its offset');
    }
    expect(await admin('propose-dispute', ...said)).toBe(0);
    const rejected = [...of, '--proposal', printed[0] ?? '', '--reason', 'Another payment'];
    expect(await admin('reject-dispute', ...rejected, '--email', bola.email)).toBe(0);
    expect(printed).toEqual(['rejected']);
    expect(await admin('list-dispute-proposals')).toBe(0);
    expect(printed).toEqual([]);
  });

  it('note what was found out about a dispute whose end its provider contradicts, once, and of no other', async () => {
    const contradicted = `update disputes set operator_reason = 'LOST_AFTER_END'
      where merchant_id = $1 and provider_dispute_id = 'CB-1' and status = 'WON' returning id`;
    const [row] = await rowsOf<{ id: string }>(t.connectionString, contradicted, [t.merchant.merchantId]);
    const noting = [
      '--merchant',
      t.merchant.merchantId,
      '--mode',
      'sandbox',
      '--dispute',
      row?.id ?? '',
      '--note',
      NOTE,
    ];
    expect(await admin('list-disputes')).toBe(0);
    expect(printed).toEqual([expect.stringContaining('letters CB-1')]);
    const before = await available();
    expect(await admin('note-dispute', ...noting, '--email', ada.email)).toBe(0);
    expect(printed).toEqual(['noted']);
    expect(await admin('list-disputes')).toBe(0);
    expect(printed).toEqual([]);
    expect(await available()).toBe(before);
    expect(await admin('note-dispute', ...noting, '--email', ada.email)).toBe(1);
    expect(warned[0]).toContain('DISPUTE_NOT_CONTRADICTED');
  });
});
