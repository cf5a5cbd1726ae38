import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../src/audit/subject-of.ts';

describe('what an entry of the audit log says of a request', () => {
  it('is its path and the fields that are named, and nothing else', () => {
    const body = {
      amount: 1500.5,
      storeId: 's',
      pin: '4826',
      password: 'p',
      bvn: '2',
      token: 't',
      code: '1',
      more: 'x',
    };
    expect(subjectOf({ merchantId: 'm', token: 't' }, body)).toEqual({ amount: 1500.5, storeId: 's', merchantId: 'm' });
  });

  it('holds no key and no signing secret that was put into a field for something else', () => {
    const body = { name: 'sk_live_abcdefgh', note: 'mine is whsec_123', reason: 'task_force' };
    expect(subjectOf(null, body)).toEqual({ name: '(withheld)', note: '(withheld)', reason: 'task_force' });
  });

  it.each([
    'mcs_live_abc_def',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx.c2ln',
    'KEY_sk_live_abcdef',
    'x%3Dsk_live_abcdef',
    `${'x '.repeat(95)}sk_live_abcdef`,
  ])('holds nothing of %s, also where it would be cut off', (text) => {
    expect(subjectOf(null, { reason: text })).toEqual({ reason: '(withheld)' });
  });

  it('holds of an address its host alone', () => {
    const body = {
      productionWebhookURL: 'https://me:pw@shop.example/hooks/secret?token=1',
      sandboxWebhookURL: 'nonsense',
    };
    expect(subjectOf(null, body)).toEqual({ productionWebhookURL: 'shop.example' });
  });

  it('spells out what fees were changed to', () => {
    const rules = [{ kind: 'VAT', flat: 0, rateBasisPoints: 750, source: 'Finance Act', password: 'p' }];
    expect(subjectOf(undefined, { rules, endsRuleIds: ['a', 'b'] })).toEqual({
      rules: '[{"kind":"VAT","flat":0,"rateBasisPoints":750,"source":"Finance Act"}]',
      endsRuleIds: 'a b',
    });
  });

  it('stays small, whatever is sent', () => {
    const list = Array.from({ length: 1_000 }, (_, at) => ({ name: `n${at}${'x'.repeat(1_000)}` }));
    const subject = subjectOf(null, {
      narration: 'x'.repeat(100_000),
      scopes: list,
      items: list,
      rules: list,
      name: { a: 1 },
    });
    expect(JSON.stringify(subject).length).toBeLessThan(10_000);
    for (const body of [null, undefined, 'text', 7, [], [{ amount: 1 }]]) expect(subjectOf(body, body)).toEqual({});
  });
});
