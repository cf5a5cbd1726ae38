import { describe, expect, it } from 'vitest';
import { keptBodies } from '../../src/request-log/bodies.ts';
import { type Hidden, scrubbed } from '../../src/request-log/redact.ts';

const NOTHING: Hidden = new Map();
const clean = (text: string, hidden: Hidden = NOTHING) => scrubbed(text, 'TEXT', hidden);
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';

describe('a text in the request log', () => {
  it.each([
    ['an e-mail address', 'ask ada.obi+pay@adire.example, please', 'ask [personal], please'],
    ['two of them', '<ada@adire.example>;bola@adire.example', '<[personal]>;[personal]'],
    ['one that begins with what is none', 'a@b@adire.example', 'a@[personal]'],
    ['a key', 'with sk_live_abc123 and whsec_9f.', 'with [secret] and [secret]'],
    ['a token', `Bearer ${TOKEN}`, 'Bearer [secret]'],
    ['a token behind a name', `session-${TOKEN} ended`, 'session-[secret] ended'],
    ['a token behind a host', `adire.example.${TOKEN}`, 'adire.example.[secret]'],
    ['a key behind a name', 'KEY_sk_live_abc x%3Dpk_test_abc', 'KEY_[secret] x%3D[secret]'],
    ['a number of an account', 'to 0123456789 today', 'to ••••6789 today'],
    ['one beside letters', 'acc0123456789 0123456789Access', 'acc••••6789 ••••6789Access'],
    ['two in a row', '01234567890123456789', '••••6789'],
    ['a phone', 'call 0803 123 4567 or +234 803 123 4567', 'call ••••4567 or ••••4567'],
    ['a number of a person', '222-123-45901, 2221 234 5901', '••••5901, ••••5901'],
    ['a card', '5061 2345 6789 0123 and 5061-2345-6789-0123-456', '••••0123 and ••••3456'],
    ['a number of 32 digits', '01234567890123456789012345678901', '••••8901'],
  ])('keeps nothing of %s', (_what, given, kept) => {
    expect(clean(given)).toBe(kept);
  });

  it.each([
    ['what is no address', '@ada at 10@5, a@b'],
    ['what only begins as a token', 'eyJourney and eyJourney.'],
    ['days, times and amounts', '2026-11-27 10:30, 1,234,567.00, 100 200 300'],
    ['the digits of ids', '0199a1b2-0123-7456-8901-012345678901 MNB0123456789012345678901234567890f'],
  ])('keeps %s', (_what, given) => {
    expect(clean(given)).toBe(given);
  });

  const long = 1_000_000;
  it.each([
    ['one word', 'x'.repeat(long)],
    ['one word of another script', 'ọ'.repeat(long)],
    ['one word behind an at sign', `x@${'y'.repeat(long)}`],
    ['nothing but at signs', '@'.repeat(long)],
    ['addresses without an end', 'x@'.repeat(long / 2)],
    ['beginnings of tokens', 'eyJa-'.repeat(long / 5)],
    ['beginnings of tokens and a dot', `${'eyJ-'.repeat(long / 4)}.`],
    ['beginnings of keys', 'sk_test_'.repeat(long / 8)],
    ['digits', '1234 '.repeat(long / 5)],
    ['one number', '1'.repeat(long)],
  ])('is gone through once, though a million characters of it are %s', (_what, text) => {
    // From each letter to the end would be minutes.
    expect(clean(text).length).toBeLessThanOrEqual(text.length);
  });
});

describe('what is left out of one field and found in another', () => {
  /** As a signed-up person of an operation that takes a narration. */
  const schemas = {
    body: {
      type: 'object',
      properties: {
        narration: { type: 'string' },
        emails: { type: 'array', items: { type: 'string', 'x-log': 'PERSONAL' } },
      },
    },
  };
  const keptOf = (body: object) => {
    const text = JSON.stringify(body);
    const request = { text, bytes: Buffer.byteLength(text) };
    return keptBodies({ schemas, isRefusal: false, request, answer: { text: undefined, bytes: 0 } }).request;
  };

  it('is left out as a whole, also where another is a part of it and comes first', () => {
    const kept = keptOf({ emails: ['Chin', 'Chinedu Obi'], narration: 'For Chinedu Obi, not Chin' });
    expect(JSON.parse(kept.text ?? '')).toMatchObject({ narration: 'For [personal], not [personal]' });
  });

  it('is left out where two overlap, and however its letters are composed', () => {
    const kept = keptOf({
      emails: ['Ada Obi', 'Obi Okafor', 'Zoe\u0308 Eze'],
      narration: 'Ada Obi Okafor, Zo\u00eb Eze',
    });
    expect(JSON.parse(kept.text ?? '')).toMatchObject({ narration: '[personal], [personal]' });
  });

  it('is left out of both, also where it stands in an entry of a list that is too long to be shown', () => {
    const emails = Array.from({ length: 25 }, (_, at) => `Payer ${'abcdefghijklmnopqrstuvwxy'[at]}`);
    const kept = JSON.parse(keptOf({ emails, narration: 'Of Payer a and Payer y' }).text ?? '');
    expect(kept).toMatchObject({ narration: 'Of [personal] and [personal]' });
    expect(kept.emails.at(-1)).toBe('[5 more]');
  });

  it.each([false, true])('is left out of the answer too, where that is a refusal: %s', (isRefusal) => {
    const text = { type: 'string' };
    const operation = {
      body: { type: 'object', properties: { pin: text, url: text } },
      response: { 200: { type: 'object', properties: { message: text } } },
    };
    const sent = JSON.stringify({ pin: '917364', url: 'https://hooks.example/in/of-adire' });
    const answered = JSON.stringify({ message: '917364 at https://hooks.example/in/of-adire' });
    const bodies = { request: { text: sent, bytes: sent.length }, answer: { text: answered, bytes: answered.length } };
    const { request, answer } = keptBodies({ schemas: operation, isRefusal, ...bodies });
    expect(JSON.parse(request.text ?? '')).toEqual({ pin: '[secret]', url: 'hooks.example/…' });
    expect(JSON.parse(answer.text ?? '')).toEqual({ message: '[secret] at hooks.example/…' });
  });

  it('shows the end of a number only where at least as much of it is left out', () => {
    const body = { type: 'object', properties: { accountNumber: { type: 'string' } } };
    const kept = ['1234', '1234567', '12345678'].map((accountNumber) => {
      const text = JSON.stringify({ accountNumber });
      const request = { text, bytes: text.length };
      return keptBodies({ schemas: { body }, isRefusal: false, request, answer: { text: undefined, bytes: 0 } });
    });
    const shown = kept.map(({ request }) => JSON.parse(request.text ?? '').accountNumber);
    expect(shown).toEqual(['••••', '••••', '••••5678']);
  });

  it('leaves of a refusal what a refusal says, whatever the operation answers otherwise', () => {
    const response = { 200: { type: 'object', properties: { pin: { type: 'string' } } } };
    const refusal = { status: false, code: 'WRONG_PIN', message: 'This PIN is wrong.' };
    const text = JSON.stringify(refusal);
    const bodies = { request: { text: undefined, bytes: 0 }, answer: { text, bytes: text.length } };
    const { answer } = keptBodies({ schemas: { response }, isRefusal: true, ...bodies });
    expect(JSON.parse(answer.text ?? '')).toEqual(refusal);
  });

  it('is not kept where it is a number, though its field takes numbers', () => {
    const properties = Object.fromEntries(
      ['pin', 'phoneNumber', 'accountNumber', 'amount'].map((name) => [name, { type: ['string', 'integer'] }]),
    );
    const text = '{"pin":917364,"phoneNumber":8031234567,"accountNumber":1234567850,"amount":1500}';
    const request = { text, bytes: text.length };
    const body = { type: 'object', properties };
    const kept = keptBodies({ schemas: { body }, isRefusal: false, request, answer: { text: undefined, bytes: 0 } });
    const hidden = Object.fromEntries(['pin', 'phoneNumber', 'accountNumber'].map((name) => [name, '[not kept]']));
    expect(JSON.parse(kept.request.text ?? '')).toEqual({ ...hidden, amount: 1500 });
  });

  it('makes a text of many values that are nearly in it one that is not kept', () => {
    const emails = Array.from({ length: 20 }, (_, at) => `${'a'.repeat(40 + at)}b${'a'.repeat(40)}`);
    const kept = keptOf({ emails, narration: 'a'.repeat(60_000) });
    expect(JSON.parse(kept.text ?? '')).toMatchObject({ narration: '[not kept]' });
  });

  it('is not looked for in what stands instead: two hundred values make no endless text', () => {
    // Each of them is found in what stands instead of the one before it.
    const marker = '[personal]';
    const parts = Array.from({ length: marker.length - 3 }, (_, at) => marker.slice(at, at + 4));
    const seams = parts.flatMap((one) => parts.map((other) => one.slice(0, 2) + other.slice(2)));
    const emails = [...new Set([...parts, ...seams])].slice(0, 200);
    const hidden: Hidden = new Map(emails.map((value) => [value, marker]));
    expect(clean('personal personal', hidden)).toBe('[personal] [personal]');
    const kept = keptOf({ emails, narration: 'personal '.repeat(100) });
    expect(JSON.parse(kept.text ?? '')).toMatchObject({ narration: '[personal] '.repeat(100) });
  });
});
