import { afterAll, beforeAll, expect, it } from 'vitest';
import { evidenceDigest, insertInboundEvidence, sealEvidence } from '../../src/collections/queries.ts';
import { type AttemptRow, attemptDigest, insertAttempts, sealAttempt } from '../../src/payouts/index.ts';
import { rowsFor } from '../../src/platform/db/statement.ts';
import { newId } from '../../src/platform/ids.ts';
import { openTestDatabase } from '../support/database.ts';

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.drop());

const AWKWARD = [
  'plain',
  '',
  '"quoted" \\ / back',
  'line\nbreak\r\ttab\b\f',
  '\u0001\u001f\u007f\u0080\u2028\u2029',
  '₦1,234.50 — Ọláyínká 😀👩‍👩‍👧',
  'half \ud83d a character',
  '<script>&amp;',
  '{"amountMinor":"100000"}',
];

const moments = [-1_001, -1, 0, 1, 999, 1_790_000_000_123, 1_790_000_000_999, 1_790_000_001_000, 253_402_300_799_999];

const begun = (at: Date): AttemptRow => ({
  merchant_id: newId(),
  mode: 'SANDBOX',
  payout_id: newId(),
  id: newId(),
  rail: 'sandbox',
  kind: 'SEND',
  started_at: at,
  ended_at: null,
  outcome: null,
  code: null,
  reason: null,
  message: null,
  session_id: null,
  reported: null,
});

it('seals evidence as the proof does, whatever a rail said and whenever', async () => {
  const said = AWKWARD.map((text) => ({ code: text, reason: text, message: text, session_id: text, reported: text }));
  const attempts = [
    ...moments.map((at) => begun(new Date(at))),
    ...moments.map((at) => ({ ...begun(new Date(at)), ended_at: new Date(at + 7), outcome: 'succeeded' })),
    ...said.map((texts) => ({
      ...begun(new Date()),
      ...texts,
      ended_at: new Date(),
      outcome: 'unknown',
      rail: 'bänk',
    })),
  ];
  const { database } = opened;
  await database.run(...rowsFor(insertAttempts, attempts.map(sealAttempt)));
  const { rows } = await database.pool.query(
    `select count(*)::int as sealed, count(*) filter (where a.digest = ${attemptDigest('a')})::int as alike from payout_attempts a`,
  );
  expect(rows).toEqual([{ sealed: attempts.length, alike: attempts.length }]);
});

it('seals the evidence of a credit as the proof does, whatever a provider said and whenever', async () => {
  const seen = { merchant_id: newId(), mode: 'SANDBOX', payment_id: newId(), source: 'WEBHOOK' } as const;
  const evidence = [
    ...moments.map((at) => ({ ...seen, outcome: 'confirmed', code: null, reported: '{}', received_at: new Date(at) })),
    ...AWKWARD.map((text) => ({ ...seen, outcome: text, code: text, reported: text, received_at: new Date() })),
  ].map((row) => ({ ...row, id: newId() }));
  const { database } = opened;
  await database.run(...rowsFor(insertInboundEvidence, evidence.map(sealEvidence)));
  const { rows } = await database.pool.query(
    `select count(*)::int as sealed, count(*) filter (where e.digest = ${evidenceDigest('e')})::int as alike from inbound_evidence e`,
  );
  expect(rows).toEqual([{ sealed: evidence.length, alike: evidence.length }]);
});
