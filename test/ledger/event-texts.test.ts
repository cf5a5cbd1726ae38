import { describe, expect, it } from 'vitest';
import { createEventTexts, wholeText } from '../../src/ledger/event-texts.ts';
import type { EventDraft } from '../../src/ledger/index.ts';
import { formatMoney } from '../../src/money/index.ts';
import { newId } from '../../src/platform/ids.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import { type TransactionCategory, type TransferSide, walletTransfer } from '../../src/transactions/index.ts';

const AT = '2026-11-30T09:30:00.000Z';
const TENANT: Tenant = { merchantId: newId(), mode: 'SANDBOX' };

/** An event of a lamp: its id, its number in hexadecimal, a time, and words that differ, with words that do not. */
function lamp(words: string, { kind = 'lamp', room = 'Hall 100%', id = newId(), at = AT } = {}): EventDraft {
  const value = JSON.stringify(words);
  const hex = id.replaceAll('-', '');
  return {
    id: newId(),
    type: 'lamp.lit',
    subjectId: id,
    data: `{"id":"${id}","number":"L${hex}","room":${JSON.stringify(room)},"words":${value},"again":${value},"at":"${at}"}`,
    varying: {
      kind,
      fields: [
        ['"id":"', 'SUBJECT'],
        ['"number":"L', 'SUBJECT_WITHOUT_HYPHENS'],
        ['"words":', 0],
        ['"again":', 0],
        ['"at":"', 'TIME'],
      ],
      values: [value],
    },
  };
}

describe('the text of an event', () => {
  it('is stored whole the first time, and then as what differs', () => {
    const texts = createEventTexts();
    const first = lamp('one');
    expect(texts.store(TENANT, first, AT)).toEqual({ data: first.data });
    const second = texts.store(TENANT, lamp('two'), AT);
    expect(second.data).toBe('"two"');
    expect(second.template).toMatchObject({
      valueCount: 1,
      text: '{"id":"%1$s","number":"L%2$s","room":"Hall 100%%","words":%4$s,"again":%4$s,"at":"%3$s"}',
    });
    expect(texts.store(TENANT, lamp('three'), AT)).toEqual({ data: '"three"', template: second.template });
  });

  it('has another template where anything else is another', () => {
    const texts = createEventTexts();
    texts.store(TENANT, lamp('one'), AT);
    const hall = texts.store(TENANT, lamp('two'), AT).template;
    const attic = texts.store(TENANT, lamp('three', { room: 'Attic' }), AT).template;
    expect(attic?.text).toContain('Attic');
    expect(attic?.id).not.toBe(hall?.id);
    expect(texts.store(TENANT, lamp('four'), AT).template).toEqual(hall);
  });

  it.each<[what: string, draft: EventDraft, at: string]>([
    ['says nothing of what differs', { ...lamp('x'), varying: undefined } as unknown as EventDraft, AT],
    ['has a value that is no JSON', { ...lamp('x'), varying: { ...lamp('x').varying!, values: ['\u001f'] } }, AT],
    ['is of another time than it says', lamp('x', { at: '2026-11-30T09:30:00.001Z' }), AT],
    ['is of another subject than it says', { ...lamp('x'), subjectId: newId() }, AT],
    ['has another value than it says', { ...lamp('x'), varying: { ...lamp('x').varying!, values: ['"y"'] } }, AT],
    ['ends otherwise', { ...lamp('x'), data: `${lamp('x').data} ` }, AT],
    ['is of a year with five digits', lamp('x', { at: '+010000-01-01T00:00:00.000Z' }), '+010000-01-01T00:00:00.000Z'],
  ])('that %s is stored whole, or with a template that gives it again', (_what, draft, at) => {
    const texts = createEventTexts();
    for (const words of ['one', 'two']) texts.store(TENANT, lamp(words), AT);
    for (let times = 0; times < 2; times += 1) {
      const { data, template } = texts.store(TENANT, draft, at);
      if (template === undefined) expect(data).toBe(draft.data);
      else expect(wholeText(template, { ...draft, at, data })).toBe(draft.data);
    }
    expect(texts.store(TENANT, lamp('after'), AT).data).toBe('"after"');
  });

  it('is given again whatever the words are', () => {
    const texts = createEventTexts();
    const words = ['%', '%1$s', '%%s', '\\', '"', '\n', '₦', '', '"at":"', ',"again":', '\u2028', '𝒳', "'"];
    texts.store(TENANT, lamp('one'), AT);
    for (const word of [...words, ...words]) {
      const draft = lamp(word, { room: word });
      const { data, template } = texts.store(TENANT, draft, AT);
      expect(template === undefined ? data : wholeText(template, { ...draft, at: AT, data })).toBe(draft.data);
    }
  });

  it('stays whole where events of a kind have less in common than they say', () => {
    const texts = createEventTexts();
    const stored = Array.from({ length: 20 }, (_, at) => texts.store(TENANT, lamp('same', { room: `Room ${at}` }), AT));
    expect(stored.filter(({ template }) => template !== undefined)).toHaveLength(4);
    expect(stored.at(-1)).toEqual({ data: expect.stringContaining('Room 19') });
    const renamed = createEventTexts();
    const often = Array.from({ length: 100 }, (_, at) =>
      renamed.store(TENANT, lamp(`${at}`, { room: `Room ${Math.floor(at / 10)}` }), AT),
    );
    expect(often.filter(({ template }) => template === undefined)).toHaveLength(1);
  });

  it('has a template of its own merchant and mode, whatever else is the same', () => {
    const texts = createEventTexts();
    for (const words of ['one', 'two']) texts.store(TENANT, lamp(words), AT);
    expect(texts.likely(TENANT, lamp('three'))).toBeDefined();
    expect(texts.likely({ ...TENANT, merchantId: newId() }, lamp('three'))).toBeUndefined();
    expect(texts.likely({ ...TENANT, mode: 'LIVE' }, lamp('three'))).toBeUndefined();
  });
});

describe('the event of a transfer', () => {
  const side = (id: string, accountName: string): TransferSide => ({
    id,
    bankCode: '999',
    bankName: 'Bank of 100%',
    accountNumber: '0123456789',
    accountName,
  });
  const [from, to] = [newId(), newId()];

  it.each<[TransactionCategory, (at: number) => string]>([
    ['STORE_TO_MERCHANT', () => 'Ikeja'],
    ['SUBACCOUNT', () => 'Ikeja'],
    ['SUBACCOUNT_TO_MERCHANT', () => 'Ikeja'],
    ['WALLET_FUNDING', () => 'Ikeja'],
    ['COLLECTION', (at) => `Ada ${at} Obi`],
    ['REFUND', (at) => `Ada ${at} Obi`],
    ['DISPUTE', (at) => `Ada ${at} Obi`],
    ['MANUAL_CREDIT', (at) => `Ada ${at} Obi`],
    ['RESERVE_RELEASE', (at) => `${at} payments`],
    ['RECEIVABLE_REPAYMENT', (at) => `${at}`],
  ])('%s has one template, whatever its amount, its words and its payer are', (category, name) => {
    const texts = createEventTexts();
    const used = new Set<string | undefined>();
    for (let at = 1; at <= 5; at += 1) {
      const { events, occurredAt } = walletTransfer(
        {
          tenant: TENANT,
          category,
          code: 'STORE_DEBIT',
          amountMinor: BigInt(at) * 123_456n,
          currency: 'NGN',
          narration: `Order ${at}`,
          description: `${formatMoney(BigInt(at) * 123_456n, 'NGN')} went from ${name(at)} to a wallet`,
          from: side(from, name(at)),
          to: side(to, 'Shop'),
          providerWalletId: to,
          walletId: to,
          metadata: at === 3 ? '{\n "order": 3\n}' : null,
          at: new Date(Date.UTC(2026, 10, at)),
        },
        'Moved',
      );
      const draft = events![0]!;
      const { data, template } = texts.store(TENANT, draft, occurredAt);
      if (template !== undefined) expect(wholeText(template, { ...draft, at: occurredAt, data })).toBe(draft.data);
      if (at > 1) used.add(template?.id);
    }
    expect([...used]).toEqual([expect.any(String)]);
  });
});
