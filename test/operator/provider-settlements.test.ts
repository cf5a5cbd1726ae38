import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { sendForm } from '../onboarding/upload.ts';
import { createTestApp, type Reply, type TestApp } from '../support/app.ts';
import { signedInOperator, type TestPerson } from '../support/people.ts';

const URL = '/operator/provider-settlement';
const CSV = 'transaction_id,gross,fee,net\nnobody-knows-it,100.00,1.50,98.50\n';

let t: TestApp;
let ada: TestPerson;
let bola: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
  [ada, bola] = [await signedInOperator(t), await signedInOperator(t)];
});
afterAll(() => t.close());

const FIELDS = { rail: 'sandbox', mode: 'SANDBOX', reference: 'S-1', lumpSum: '98.50', settledOn: '2026-11-20' };

/** Records a settlement as the operator's page does. @param file null: none at all */
function record(changes: Record<string, string> = {}, file: string | null = CSV): Promise<Reply> {
  const fields = Object.entries({ ...FIELDS, ...changes }).map(([name, content]) => ({ name, content }));
  const part = file === null ? [] : [{ name: 'file', content: file, fileName: 'settled.csv' }];
  return sendForm(t, ada, [...fields, ...part], { url: URL });
}

describe('recording what a provider settled', () => {
  it.each([
    ['another mode', { mode: 'TEST' }, 'VALIDATION_FAILED'],
    ['no reference', { reference: '' }, 'VALIDATION_FAILED'],
    ['a reference that is a story', { reference: 'x'.repeat(101) }, 'VALIDATION_FAILED'],
    ['a sum below zero', { lumpSum: '-1' }, 'VALIDATION_FAILED'],
    ['a sum that is none', { lumpSum: 'a lot' }, 'VALIDATION_FAILED'],
    ['a day that there is not', { settledOn: '2026-02-31' }, 'VALIDATION_FAILED'],
    ['a cut-off that is none', { cutOff: 'yesterday' }, 'VALIDATION_FAILED'],
    ['a field that nobody knows', { fee: '1' }, 'VALIDATION_FAILED'],
    ['a provider account that there is not', { rail: 'nobody' }, 'RAIL_NOT_FOUND'],
  ])('is refused with %s', async (_what, changes, code) => {
    expect((await record(changes)).body.code).toBe(code);
  });

  it('is refused without a file, with one that names no transaction, and with one that is no text', async () => {
    expect((await record({}, null)).body.code).toBe('FILE_MISSING');
    expect((await record({}, 'gross,fee\n1,2\n')).body.code).toBe('SETTLEMENT_HEADER_UNKNOWN');
    // Nothing is kept of it: the settlement is recorded anew under its reference.
    expect((await record()).status).toBe(200);
    expect((await record({ reference: 'S-2' }, 'PK\u0003\u0004')).body.code).toBe('SETTLEMENT_FILE_UNREADABLE');
    expect((await ada.call('POST', URL, FIELDS)).body.code).toBe('CONTENT_TYPE_UNSUPPORTED');
  });

  it('is shown with what it comes to, and applied by another person alone', async () => {
    const reply = await record({ reference: 'S-3', cutOff: '2026-11-19' }, `${CSV}\n`);
    const { settlementId } = reply.body.data;
    const { data } = (await bola.call('GET', `${URL}/${settlementId}`)).body;
    expect(data).toMatchObject({ status: 'READY', lumpSum: 98.5, net: 98.5, difference: 0, posted: 0, unresolved: 1 });
    expect(data.cutOff).toBe('2026-11-19T23:00:00.000Z');
    const overview = async (person: TestPerson) => (await person.call('GET', '/operator/overview')).body.data;
    expect([(await overview(ada)).providerSettlementsForMe, (await overview(bola)).providerSettlementsForMe]).toEqual([
      0, 2,
    ]);
    const isWaiting = async () => {
      const { records } = (await bola.call('GET', `${URL}?needsDecision=true`)).body.data;
      return records.some((one: { settlementId: string }) => one.settlementId === settlementId);
    };
    expect(await isWaiting()).toBe(true);
    const apply = (person: TestPerson) => person.call('POST', `${URL}/${settlementId}/apply`, {});
    expect((await apply(ada)).body.code).toBe('SECOND_PERSON_NEEDED');
    expect((await apply(bola)).body.data).toEqual({ posted: 0, isDone: true });
    expect((await overview(bola)).providerLinesToDecide).toBe(1);
    expect(await isWaiting()).toBe(true);
    const { records } = (await bola.call('GET', `${URL}/${settlementId}/line?state=OPEN`)).body.data;
    const path = `${URL}/${settlementId}/line/${records[0].lineId}/accept`;
    expect((await bola.call('POST', path, { note: 'Too short' })).status).toBe(400);
    expect((await bola.call('POST', path, { note: 'They know of no such transaction' })).status).toBe(200);
    expect(await isWaiting()).toBe(false);
    const discard = await bola.call('POST', `${URL}/${settlementId}/discard`, { reason: 'Too late' });
    expect(discard.body.code).toBe('SETTLEMENT_NOT_READY');
    expect((await bola.call('POST', `${URL}/${newId()}/apply`, {})).body.code).toBe('SETTLEMENT_NOT_FOUND');
  });
});

describe('the rule of availability', () => {
  it('is set for a merchant that there is, at least two minutes ahead', async () => {
    const { merchantId } = t.merchant;
    const rule = { merchantId, mode: 'SANDBOX', availability: 'ON_SETTLEMENT', reason: 'New, and untried' };
    const set = (changes: object) => ada.call('POST', '/operator/availability', { ...rule, ...changes });
    expect((await set({ merchantId: newId() })).body.code).toBe('MERCHANT_NOT_FOUND');
    expect((await set({ availability: 'NEVER' })).status).toBe(400);
    const soon = new Date(t.clock.now().getTime() + 60_000).toISOString();
    expect((await set({ effectiveFrom: soon })).body.code).toBe('VALIDATION_FAILED');
    const { data } = (await set({})).body;
    expect(data).toMatchObject({
      merchantId,
      availability: 'ON_SETTLEMENT',
      source: expect.stringContaining('untried, '),
    });
    const of = async (id: string) =>
      (await ada.call('GET', `/operator/availability?merchantId=${id}`)).body.data.records;
    expect([(await of(merchantId)).length, (await of(newId())).length]).toEqual([1, 0]);
  });
});
