import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminDeps, type Command, runAudited } from '../../src/admin/command.ts';
import { COMMANDS } from '../../src/admin/index.ts';
import { type AuditEntry, checkAuditLog, recordAudit, sealAudit } from '../../src/audit/index.ts';
import { subjectOf } from '../../src/audit/subject-of.ts';
import { databaseAway } from '../../src/platform/errors.ts';
import { createJobMonitor } from '../../src/platform/jobs/job-monitor.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { pageOperations } from '../operator/operator-operations.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { bodyFields, type Operation } from '../support/operations.ts';
import { signedInMember, signedInOperator, type TestPerson } from '../support/people.ts';
import { atTerminal, terminalEntries } from '../support/terminal.ts';
import { rowsOf } from '../support/world.ts';

let t: TestApp;
let operator: TestPerson;
beforeAll(async () => {
  t = await createTestApp();
  operator = await signedInOperator(t);
  await operator.refresh();
});
afterAll(() => t.close());

interface Shown {
  action: string;
  outcome: string;
  code: string | null;
  subject: Record<string, unknown>;
}

async function merchantWithOwner() {
  const { merchantId } = await t.addMerchant();
  return { merchantId, owner: await signedInMember(t, merchantId, 'OWNER') };
}

/** All that a merchant reads, in its list. */
async function readBy(owner: TestPerson, headers?: Record<string, string>): Promise<Shown[]> {
  const read: Shown[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await owner.call('GET', `/audit?size=100&page=${page}`, undefined, headers);
    read.push(...body.data.records.filter(({ action }: Shown) => action !== 'sign-in'));
    if (body.data.records.length < 100) return read;
  }
}

/** As an earlier release may have left it: an entry of this action with texts in all fields that somebody writes. */
function left(merchantId: string, action: string, changed: Partial<AuditEntry> = {}): Promise<void> {
  return recordAudit(t.database, {
    merchantId,
    mode: 'SANDBOX',
    at: t.clock.now(),
    action,
    summary: 'Something',
    outcome: 'DONE',
    code: null,
    subject: Object.fromEntries([...WRITTEN, 'amount'].map((field) => [field, `a text in ${field}`])),
    actor: { kind: 'SYSTEM', id: null, name: 'root', role: null, sessionId: null },
    ip: null,
    userAgent: null,
    requestId: null,
    ...changed,
  });
}

/** Fields in which people write, or that say who of the staff it was and how they know. */
const WRITTEN = ['reason', 'note', 'email', 'for', 'name', 'source', 'owner', 'legalBasis', 'subject', 'search'];

const actionOf = ({ method, path }: Operation) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
const namesMerchant = (operation: Operation) =>
  operation.path.includes('{merchantId}') ||
  Object.values(operation.contents).some(({ properties }) => properties?.['merchantId'] !== undefined) ||
  bodyFields(operation).some(([field]) => field === 'merchantId');

/** What may show in the log of a merchant. A new operation stands here, or in `CONFIDENTIAL` below. */
const MAY_SHOW = [
  'GET /operator/merchant/:merchantId',
  'GET /operator/merchant/:merchantId/dispute/:disputeId',
  'GET /operator/merchant/:merchantId/document/:documentId/content',
  'GET /operator/merchant/:merchantId/document/:documentId/view',
  'GET /operator/merchant/:merchantId/history/:changeId',
  'GET /operator/merchant/:merchantId/manual-credit/:manualCreditId',
  'GET /operator/merchant/:merchantId/manual-credit/:manualCreditId/document',
  'GET /operator/merchant/:merchantId/support-view',
  'GET /operator/merchant/:merchantId/tier',
  'POST /operator/availability',
  ...['confirm', 'looked-into', 'propose', 'propose-end', 'reject'].map((step) => `POST /operator/dispute/${step}`),
  'POST /operator/float/check',
  'POST /operator/limit',
  'POST /operator/limit/end',
  ...['approve', 'reject', 'withdraw'].map((step) => `POST /operator/manual-credit/${step}`),
  ...[
    'approve',
    'manual-credit',
    'rail',
    'refunds',
    'reinstate',
    'reject',
    'service',
    'suspend',
    'tier',
    'unlock-pin',
  ].map((step) => `POST /operator/merchant/:merchantId/${step}`),
  'POST /operator/merchant/:merchantId/support-view',
  'POST /operator/merchant/:merchantId/support-view/:supportViewId/end',
  ...['confirm', 'propose', 'reject'].flatMap((step) => [
    `POST /operator/outcome/${step}`,
    `POST /operator/refund/${step}`,
  ]),
  'POST /operator/reserve/rule',
  'POST /operator/settlement',
  'POST /operator/settlement-terms',
  ...['confirm', 'propose', 'reject', 'withdraw'].map((step) => `POST /operator/suspense/payment/${step}`),
  'POST /operator/virtual-account/retry',
  ...`abandon-archive approve-manual-credit approve-merchant archive-events choose-rail confirm-dispute confirm-outcome
    confirm-refund-outcome confirm-suspense disable-refunds disable-service enable-refunds enable-service
    export-sandbox-settlement import-settlement issue-key list-availability list-keys list-limits list-reserves
    list-suspense note-dispute propose-dispute propose-dispute-end propose-outcome propose-refund-outcome
    propose-suspense rebuild-search rebuild-totals reconcile-float reinstate-merchant reject-dispute reject-manual-credit
    reject-merchant reject-outcome reject-refund-outcome reject-suspense reset-second-factor revoke-key rotate-key
    set-availability set-limits set-merchant-tier set-pin set-reserve set-settlement-terms share-contacts show-dispute
    show-manual-credit suspend-merchant switch-approvals-off unlock-pin unshare-contacts withdraw-manual-credit
    withdraw-suspense`
    .split(/\s+/)
    .map((name) => `admin ${name}`),
];

/** What is written for the merchant, which has it by mail or on its pages as well, or names somebody of it. */
const WRITTEN_FOR_IT: Record<string, string[]> = {
  'POST /operator/merchant/:merchantId/reject': ['reason'],
  'admin reject-merchant': ['reason'],
  'admin switch-approvals-off': ['reason'],
  'admin reset-second-factor': ['reason', 'email'],
  'admin issue-key': ['for'],
  'admin rotate-key': ['for'],
};

/** Of what no merchant reads anything. A name that was here once stays: the entries do. */
const CONFIDENTIAL = ['POST /operator/compliance-case/release', 'POST /operator/freeze', 'admin freeze'];

describe('of what the operator does, a merchant reads', () => {
  it('what was decided for each operation and command that names a merchant, and not one more', async () => {
    const { merchantId, owner } = await merchantWithOwner();
    const operations = pageOperations(t.app, 'Operator').filter(namesMerchant).map(actionOf);
    const commands = COMMANDS.filter(({ options, merchantOf }) => 'merchant' in options || merchantOf !== undefined);
    const actions = [...operations, ...commands.map(({ name }) => `admin ${name}`)];
    expect(actions.sort()).toEqual([...MAY_SHOW, ...CONFIDENTIAL].sort());
    await Promise.all(actions.map((action) => left(merchantId, action)));
    const read = await readBy(owner);
    expect(read.map(({ action }) => action).sort()).toEqual([...MAY_SHOW].sort());
    for (const { action, subject } of read) {
      const texts = WRITTEN.filter((field) => field in subject);
      expect([action, texts, subject['amount']]).toEqual([action, WRITTEN_FOR_IT[action] ?? [], 'a text in amount']);
    }
  });

  it('nothing of an operation on freezes and cases, whomever it names', async () => {
    const { merchantId, owner } = await merchantWithOwner();
    const actions = [
      ...pageOperations(t.app, 'Operator')
        .filter(({ path }) => /^\/operator\/(freeze|compliance)/.test(path))
        .map(actionOf),
      ...['list-freezes', 'freeze', 'propose-lift', 'confirm-lift'].map((name) => `admin ${name}`),
    ];
    expect(actions).toHaveLength(15);
    await Promise.all(actions.map((action) => left(merchantId, action)));
    expect(await readBy(owner)).toEqual([]);
  });

  it('its own people’s attempts at an operation of the operator’s, also a confidential one', async () => {
    const { owner } = await merchantWithOwner();
    expect((await owner.call('POST', '/operator/freeze', {})).status).toBe(403);
    expect(await readBy(owner)).toMatchObject([{ action: 'POST /operator/freeze', code: 'PERMISSION_NOT_GRANTED' }]);
  });
});

describe('a merchant that is frozen', () => {
  const BASIS = 'Order FHC/L/CS/41/2026';

  async function frozen() {
    const made = await merchantWithOwner();
    const { merchantId } = made;
    const body = {
      mode: 'SANDBOX',
      subject: 'MERCHANT',
      merchantId,
      reason: 'Suspected laundering',
      legalBasis: BASIS,
    };
    const reply = await operator.call('POST', '/operator/freeze', { ...body, owner: 'Compliance desk' });
    expect(reply.status, reply.text).toBe(200);
    const freeze = ['freeze', '--subject', 'MERCHANT', '--merchant', merchantId, '--mode', 'SANDBOX'];
    const more = ['--reason', 'Suspected laundering', '--legal-basis', BASIS, '--owner', 'o', '--email', 'x@y.example'];
    expect((await atTerminal(t, ...freeze, ...more)).exit).toBe(1);
    const caseId = '01a1fa8e-dbd3-7829-9ee8-6656ed63ba41';
    const release = { merchantId, mode: 'SANDBOX', caseId, note: 'Another person' };
    expect((await operator.call('POST', '/operator/compliance-case/release', release)).status).toBe(404);
    return made;
  }

  it('does not read of it in its log: in no list, no count, no search, no file, and in no support view of it', async () => {
    const { merchantId, owner } = await frozen();
    await left(merchantId, 'POST /operator/limit');
    for (const query of ['', 'once=true', 'once=true&outcome=ASKED', 'outcome=REFUSED', 'category=PERSONAL_DATA']) {
      const { body } = await owner.call('GET', `/audit?${query}`);
      // The limit, and that the owner signed in.
      const count = query === '' || query === 'once=true' ? 2 : 0;
      expect([query, body.data.totalRecords, body.data.records.length]).toEqual([query, count, count]);
    }
    expect((await owner.call('GET', '/audit?action=freez')).body.data.totalRecords).toBe(0);
    const file = (await owner.call('GET', '/audit.csv')).text;
    expect(file.trim().split('\r\n')).toHaveLength(3);
    const opened = await operator.call('POST', `/operator/merchant/${merchantId}/support-view`, {
      mode: 'SANDBOX',
      reason: 'You asked',
    });
    const view = { 'x-support-view': opened.body.data.token as string };
    expect((await readBy(operator, view)).some(({ action }) => /freeze|compliance/.test(action))).toBe(false);
  });

  it('is found in the operator’s log with all that was said, under seals that cover it', async () => {
    const { merchantId } = await frozen();
    const { text, body } = await operator.call('GET', `/operator/audit?merchantId=${merchantId}`);
    expect(body.data.totalRecords).toBe(7);
    expect(text).toContain(BASIS);
    expect(text).toContain('Another person');
    expect((await operator.call('GET', `/operator/audit.csv?merchantId=${merchantId}`)).text).toContain(BASIS);
    const jobs = createJobMonitor({ clock: t.clock, logger: createLogger('silent') });
    while ((await sealAudit({ ...t, jobs })) > 0);
    const seals = `select count(*)::int as n from audit_seals where merchant_id = $1`;
    expect(await rowsOf(t.connectionString, seals, [merchantId])).toEqual([{ n: 7 }]);
    await t.database.transaction(async (tx) => {
      for await (const fault of checkAuditLog(tx, t.secrets)) expect.fail(fault.detail);
    });
  });
});

describe('what the operator’s staff write to each other', () => {
  const unknown = '01a1fa8e-dbd3-7829-9ee8-6656ed63ba41';

  it('no merchant reads, nor who of them signs in, nor why one was refused', async () => {
    const { merchantId, owner } = await merchantWithOwner();
    const reason = 'Bola was fooled by a forged letter';
    const of = { merchantId, mode: 'SANDBOX' };
    await operator.call('POST', '/operator/outcome/reject', { ...of, proposalId: unknown, reason });
    await operator.call('POST', '/operator/manual-credit/reject', { ...of, manualCreditId: unknown, reason });
    const reject = ['reject-manual-credit', '--merchant', merchantId, '--mode', 'SANDBOX', '--credit', unknown];
    await atTerminal(t, ...reject, '--reason', reason, '--email', 'ada@manilla.example');
    await left(merchantId, 'POST /operator/suspense/payment/confirm', { outcome: 'REFUSED', code: 'PAYMENT_FROZEN' });
    const read = await readBy(owner);
    expect(read.map(({ outcome, code }) => [outcome, code])).toEqual(
      [
        ['REFUSED', null],
        ...['admin', 'manual credit', 'outcome'].flatMap(() => [
          ['REFUSED', null],
          ['ASKED', null],
        ]),
      ].slice(0, read.length),
    );
    expect(read).toHaveLength(7);
    const { text } = await owner.call('GET', '/audit.csv');
    for (const seen of [JSON.stringify(read), text]) expect(seen).not.toMatch(/forged|ada@|FROZEN|NOT_FOUND/);
    expect(JSON.stringify(read)).toContain(unknown);
    expect((await operator.call('GET', `/operator/audit?merchantId=${merchantId}`)).text).toMatch(
      /forged.*FROZEN|FROZEN.*forged/s,
    );
  });

  it('a merchant reads where it was written for it: why it was rejected, and why somebody looks at its pages', async () => {
    const { merchantId, owner } = await merchantWithOwner();
    const reason = 'The certificate cannot be read';
    await left(merchantId, 'POST /operator/merchant/:merchantId/reject', {
      subject: { merchantId, reason, note: 'n' },
    });
    await operator.call('POST', `/operator/merchant/${merchantId}/support-view`, { mode: 'SANDBOX', reason });
    expect((await readBy(owner)).map(({ subject }) => [subject['reason'], subject['note']])).toEqual([
      [reason, undefined],
      [reason, undefined],
      [reason, undefined],
    ]);
  });
});

/** Options of the terminal that are a secret or somebody's details, free text of a payer, or only say what is printed or read. */
const NOT_OF_AN_ENTRY = `address after all bvn city director-born file limit message owner-first-name owner-last-name
  password-stdin phone pin proposed registration-number state status`.split(/\s+/);

/** The same of operations of the operator; `rules` are kept as a list. */
const NOT_KEPT_OF_OPERATIONS = ['amounts', 'at', 'code', 'message', 'rules', 'text'];

describe('an entry', () => {
  it('says of a command of the terminal all that decides what it does: on which terms, and about what', async () => {
    const written: unknown[][] = [];
    const query = async (_statement: unknown, values: unknown[]) => {
      written.push(values);
      return [];
    };
    const deps = { database: { query }, clock: t.clock, actor: 'root' } as unknown as AdminDeps;
    const left = new Set<string>();
    for (const { merchantOf: _unasked, ...command } of COMMANDS) {
      const options = Object.keys(command.options);
      await runAudited(deps, command, Object.fromEntries(options.map((name) => [name, 'x'])), async () => undefined);
      const subject = written.splice(0).map((values) => JSON.parse(String(values[8])))[0];
      if (subject !== undefined) for (const name of options) if (!(name in subject)) left.add(name);
    }
    expect([...left].sort()).toEqual(NOT_OF_AN_ENTRY);
  });

  it('says of an operation of the operator all that decides what it does', () => {
    const fields = pageOperations(t.app, 'Operator')
      .filter(({ method }) => method !== 'GET')
      .flatMap((operation) => bodyFields(operation).map(([name]) => name));
    const left = fields.filter((name) => Object.keys(subjectOf({}, { [name]: 'https://x.example' })).length === 0);
    expect([...new Set(left)].sort()).toEqual(NOT_KEPT_OF_OPERATIONS);
  });

  it('holds of the address of a rail its host alone', async () => {
    const address = ['--base-url', 'https://me:pw@rail.example/secret?token=1'];
    await atTerminal(t, 'add-rail', '--name', 'x', '--provider', 'y', '--mode', 'LIVE', ...address, '--replace');
    const [entry] = (await terminalEntries(t, null)).filter(({ action }) => action === 'admin add-rail');
    expect(JSON.parse(entry?.subject ?? '')).toMatchObject({ 'base-url': 'rail.example', replace: true });
  });

  it('that cannot be written once a command is done is no refusal of it: who repeats it would do it twice', async () => {
    const outcomes = ['ASKED'];
    const query = async () => {
      if (outcomes.pop() === undefined) throw databaseAway('It is away.', new Error('gone'));
      return [];
    };
    const warned: string[] = [];
    const deps = { database: { query }, clock: t.clock, actor: 'root', warn: (line: string) => warned.push(line) };
    const [command] = COMMANDS.filter(({ name }) => name === 'issue-key');
    await runAudited(deps as unknown as AdminDeps, command as Command, {}, async () => undefined);
    expect(warned).toEqual([expect.stringMatching(/^It is done/)]);
  });

  it('holds no credential, whoever brought it: an option of the terminal, the reason of a support view', async () => {
    const { merchantId } = await merchantWithOwner();
    const key = 'KEY_sk_live_abcdefgh';
    await atTerminal(t, 'suspend-merchant', '--merchant', merchantId, '--reason', `it leaked ${key}`);
    const reason = `we saw x%3D${key}`;
    const opened = await operator.call('POST', `/operator/merchant/${merchantId}/support-view`, {
      mode: 'LIVE',
      reason,
    });
    const view = { 'x-support-view': opened.body.data.token as string };
    await operator.call('GET', '/wallet/merchant', undefined, view);
    const kept = 'select e::text as text from audit_entries e where merchant_id = $1';
    const texts = (await rowsOf<{ text: string }>(t.connectionString, kept, [merchantId]))
      .map(({ text }) => text)
      .join();
    expect(texts).toContain('(withheld)');
    expect(texts).not.toContain('sk_live_');
  });
});
