import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/platform/ids.ts';
import { pdf, upload } from '../onboarding/upload.ts';
import { pageOperations } from '../operator/operator-operations.ts';
import { createTestApp, type Reply, TEST_PIN, type TestApp, type TestMerchant } from '../support/app.ts';
import { collectedOf, evidenceForm } from '../support/collected.ts';
import { IS_ID, idsOf, type Known, type Operation, operationsOf, sampleRequest } from '../support/operations.ts';
import { browser, signedInMember, signedInOperator, TEST_PASSWORD, type TestPerson } from '../support/people.ts';
import { bearer, issueKey, knownOf, rowsOf, saidBy } from '../support/world.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';

/**
 * The owner of another business, signed in, with the password just given, against every id of a business: whatever the
 * document names as an id is tried, so a new operation is taken up by itself, and a new kind of id has to be made here.
 */
const t: TestApp = await createTestApp({ WEBHOOK_ALLOW_LOOPBACK: 'true' });
let receiver: Receiver | undefined;
afterAll(async () => {
  await receiver?.close();
  await t.close();
});

/** The local outbox is everybody's in a test, and the operator's elsewhere. */
const operations = [...operationsOf(t.app), ...pageOperations(t.app, 'Dashboard')].filter(
  ({ path }) => !path.startsWith('/mail'),
);

/** Says that something changed, and not what, for as long as somebody listens. */
const ENDLESS: ReadonlySet<string> = new Set(['/stream']);
/** A view keeps the words of a filter as they are given: a list that is read with them knows whose they are. */
const withIds = operations.filter(
  (operation) => operation.name !== 'POST /saved-view' && idsOf(operation, ['path', 'body']).length > 0,
);
const filtered = operations.filter((operation) => idsOf(operation, ['query']).length > 0);

/** What a program may ask. */
const ofKeys = new Set(operationsOf(t.app).map(({ name }) => name));
const withSeveral = withIds.filter(
  (operation) => ofKeys.has(operation.name) && idsOf(operation, ['path', 'body']).length > 1,
);

let owner: TestPerson;
let stranger: TestPerson & { business: TestMerchant };
/** What the owner's business has, by the name of the id. */
let theirs: Known;
/** Of an operation that means something else by the same name. */
const OTHERWISE: [RegExp, () => Known][] = [
  [/ \/webhook\/delivery\//, () => ({ id: deliveryId })],
  [/ \/collection\/session\//, () => ({ sessionId: paymentSessionId })],
  [/ \/transaction\/\{transactionId\}\/receipt/, () => shared],
  [/ \/saved-view/, () => ({ viewId })],
  [/ \/member\/\{personId\}\/remind$/, () => ({ personId: invitedId })],
];
let deliveryId: string;
let invitedId: string;
let paymentSessionId: string;
let viewId: string;
let shared: { transactionId: string; linkId: string };

/** A payout that was paid, with a link to its receipt. */
async function shareReceipt(): Promise<typeof shared> {
  const paid = { pin: TEST_PIN, amount: 77, bankCode: '058', accountNumber: '0123456785', narration: 'Rent' };
  const { transactionId } = await must(owner, 'POST', '/payout/single', paid);
  await t.app.worker.runOnce();
  const { linkId } = await must(owner, 'POST', `/transaction/${transactionId}/receipt/link`, {});
  return { transactionId, linkId };
}

async function must(person: TestPerson, method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) {
  const reply = await person.call(method, path, body);
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.text}`);
  return reply.body.data;
}

/** A request of a program, once it is in the log. */
async function loggedRequest(): Promise<string> {
  const requestId = String((await t.call('GET', '/branch/store')).headers['x-request-id']);
  const logged = () => rowsOf(t.connectionString, 'select 1 from request_log where request_id = $1', [requestId]);
  for (let tries = 0; tries < 100 && (await logged()).length === 0; tries += 1) {
    if (tries > 0) await sleep(100);
    await t.app.requestLog.flush();
  }
  return requestId;
}

async function makeDelivery(): Promise<string> {
  receiver = await startReceiver();
  await must(owner, 'PATCH', '/merchant/info', { sandboxWebhookURL: receiver.url });
  await must(owner, 'POST', '/branch/store', { name: 'Told of' });
  await t.app.webhookWorker.runOnce();
  return (await must(owner, 'GET', '/webhook/delivery')).records[0].id;
}

/** What the operator announces to this business alone. */
async function announce(merchantId: string): Promise<string> {
  const operator = await signedInOperator(t);
  const [startsAt, endsAt] = [0, 60].map((minutes) =>
    new Date(t.clock.now().getTime() + minutes * 60_000).toISOString(),
  );
  const words = { title: 'For you alone', text: 'And for nobody else.', severity: 'INFO' };
  const body = { ...words, startsAt, endsAt, merchantIds: [merchantId] };
  const { announcementId } = await must(operator, 'POST', '/operator/announcement', body);
  await must(operator, 'POST', `/operator/announcement/${announcementId}/publish`);
  return announcementId;
}

beforeAll(async () => {
  const { merchantId } = t.merchant;
  owner = await signedInMember(t, merchantId, 'OWNER');
  const member = await signedInMember(t, merchantId, 'VIEWER');
  await signedInMember(t, merchantId, 'APPROVER');
  const known = await knownOf(t, t.merchant);
  deliveryId = await makeDelivery();
  invitedId = (await must(owner, 'POST', '/member/invite', { email: 'i@shop.example', role: 'VIEWER' })).personId;
  const asked = { amount: 5, customer: { name: 'Ada Obi', email: 'ada@example.com' } };
  paymentSessionId = (await must(owner, 'POST', '/collection/session', asked)).sessionId;
  const phone = browser(t);
  await phone.call('POST', '/session', { email: owner.email, password: TEST_PASSWORD });
  const sessions: { sessionId: string; current: boolean }[] = await must(owner, 'GET', '/session/list');
  const account = { bankCode: '058', accountNumber: '0123456785' };
  const { beneficiaryId } = await must(owner, 'POST', '/beneficiary', account);
  shared = await shareReceipt();
  const collected = await collectedOf(t, t.merchant, owner);
  const view = { list: 'TRANSACTIONS', name: 'Mine', filter: { status: 'FAILED' }, columns: [] };
  viewId = (await must(owner, 'POST', '/saved-view', view)).views[0].viewId;
  const rules = [{ fromAmount: 0, approvals: 1 }];
  await must(owner, 'PATCH', '/approval/rules', { isMakerCheckerEnabled: true, rules });
  // With approvals on, switching them off waits for one.
  const { approvalId } = await must(owner, 'PATCH', '/approval/rules', { isMakerCheckerEnabled: false });
  const admin = { email: 'j@shop.example', role: 'ADMIN' };
  const { changeId } = await must(owner, 'POST', '/member/invite', admin);
  theirs = {
    ...known,
    ...collected,
    announcementId: await announce(merchantId),
    beneficiaryId,
    approvalId,
    changeId,
    keyId: (await issueKey(t, merchantId, 'SANDBOX')).keyId,
    personId: member.personId,
    documentId: (await upload(t, owner, 'OTHER', pdf())).body.data.documentId,
    sessionId: sessions.find(({ current }) => !current)?.sessionId,
    digest: 'a'.repeat(64),
    requestId: await loggedRequest(),
  };
  const other = await t.addMerchant({ name: 'Suya Spot' });
  stranger = { ...(await signedInMember(t, other.merchantId, 'OWNER')), business: other };
});

function idsFor({ name }: Operation): Known {
  return { ...theirs, ...OTHERWISE.find(([pattern]) => pattern.test(name))?.[1]() };
}

function nobodys(operation: Operation): Known {
  const ids = idsOf(operation, ['path', 'body']).map((name) => [name, newId()]);
  const batchReference = String(theirs['batchReference']).replace(/[0-9a-f]{12}$/, '0123456789ab');
  return { ...theirs, ...Object.fromEntries(ids), batchReference };
}

/** A sample of an operation, and what it is sent with: evidence is a form, and a form that is none says nothing of its id. */
function sampleOf(operation: Operation, known: Known) {
  const { method, url, body } = sampleRequest(operation, known);
  if (operation.contents['multipart/form-data'] === undefined) return { method, url, body, headers: {} };
  const [form, headers] = evidenceForm();
  return { method, url, body: form, headers };
}

const ask = (person: TestPerson, operation: Operation, known: Known, mode = 'SANDBOX') => {
  const { method, url, body, headers } = sampleOf(operation, known);
  return person.call(method, url, body, { ...headers, 'x-mode': mode });
};

async function askedBy(key: string, operation: Operation, [first, second]: [Known, Known]): Promise<[Reply, Reply]> {
  const asked = (known: Known) => {
    const { method, url, body, headers } = sampleOf(operation, known);
    return t.call(method, url, body, { ...headers, ...bearer(key) });
  };
  return [await asked(first), await asked(second)];
}

const readsOfOrganization = await rowsOfOrganization();

/** What reads every row of the owner's business, table by table; what the tables of its people and sessions hold among it. */
async function rowsOfOrganization(): Promise<string> {
  const tables = await rowsOf<{ name: string }>(
    t.connectionString,
    `select c.table_name as name from information_schema.columns c join information_schema.tables k using (table_name)
      where c.column_name = 'merchant_id' and c.table_schema = 'public' and k.table_type = 'BASE TABLE'
        and c.table_name not in ('request_log', 'request_log_bodies', 'request_log_counts') order by 1`,
  );
  const reads = tables.map(
    ({ name }) =>
      // When a key was used, or a person was there, is noted a while after it was.
      `select '${name}' as name, md5(string_agg((to_jsonb(x) - 'last_used_at' - 'last_seen_at')::text, ';' order by x::text)) as rows
         from ${name} x where merchant_id = $1`,
  );
  reads.push(`select 'sessions', string_agg(s.id::text || s.stage, ';' order by s.id) from sessions s
    join people p on p.id = s.person_id where p.merchant_id = $1`);
  return reads.join(' union all ');
}

const readOrganization = () =>
  rowsOf<{ name: string }>(t.connectionString, readsOfOrganization, [t.merchant.merchantId], 'organization');
/** Without its audit log, which says what its own people were refused. */
const readBooks = async () => (await readOrganization()).filter(({ name }) => !name.startsWith('audit_'));

/** People, what they keep for themselves, and the papers of the business: the same in both modes. */
const OF_BOTH_MODES =
  /^\w+ \/(announcement|audit|member|merchant\/document|onboarding|saved-view|session|support-view)/;
/** Of what they are about. */
const ID_OF_BOTH_MODES = /^(announcement|change|document|person|session)Id$/;
/** Sandbox money has operations of its own, which are none of live mode. */
const ofOneMode = ({ name, path }: Operation) => !OF_BOTH_MODES.test(name) && !path.startsWith('/sandbox');

describe('what has an id of the sandbox of one’s own business', () => {
  it.each(withIds.filter(ofOneMode))('$name tells in live mode what it tells of nobody’s id', async (operation) => {
    const before = await readBooks();
    const own = await ask(owner, operation, { ...idsFor(operation), pin: TEST_PIN }, 'LIVE');
    const unknown = await ask(owner, operation, { ...nobodys(operation), pin: TEST_PIN }, 'LIVE');
    expect([own.status, own.body.code], own.text).toEqual([404, expect.stringMatching(/_NOT_FOUND$/)]);
    expect([unknown.status, saidBy(unknown)]).toEqual([own.status, saidBy(own)]);
    expect(await readBooks()).toEqual(before);
  });

  it('stands in no list of live mode', async () => {
    const ids = Object.entries({ ...theirs, deliveryId, paymentSessionId })
      .filter(([name, value]) => typeof value === 'string' && IS_ID.test(name) && !ID_OF_BOTH_MODES.test(name))
      .map(([, value]) => String(value));
    expect(ids.length).toBeGreaterThan(12);
    const lists = operations.filter(
      (operation) =>
        operation.method === 'GET' &&
        !operation.path.includes('{') &&
        !ENDLESS.has(operation.path) &&
        ofOneMode(operation),
    );
    for (const operation of lists) {
      const reply = await ask(owner, operation, {}, 'LIVE');
      for (const id of ids) expect(reply.text, operation.name).not.toContain(id);
    }
  });
});

describe('what has an id of another business, beside ids of one’s own', () => {
  let own: Known;
  beforeAll(async () => {
    const { business } = stranger;
    own = { ...(await knownOf(t, business)), ...(await collectedOf(t, business, stranger)) };
  });

  it.each(withSeveral)('$name tells the same of each of its ids where the others are one’s own', async (operation) => {
    const before = await readOrganization();
    const names = idsOf(operation, ['path', 'body']);
    expect(
      names.filter((name) => own[name] === undefined),
      'ids that have to be made above',
    ).toEqual([]);
    for (const name of names) {
      const [foreign, unknown] = await askedBy(stranger.business.secretKey, operation, [
        { ...idsFor(operation), ...own, [name]: idsFor(operation)[name] },
        { ...idsFor(operation), ...own, [name]: nobodys(operation)[name] },
      ]);
      const told = [name, foreign.status, foreign.body.code];
      expect(told, foreign.text).toEqual([name, 404, expect.stringMatching(/_NOT_FOUND$/)]);
      expect([name, unknown.status, saidBy(unknown)]).toEqual([name, foreign.status, saidBy(foreign)]);
    }
    expect(await readOrganization()).toEqual(before);
  });
});

describe('what has an id of another business', () => {
  /** After what was tried so far. Read once for each operation: what it changes is found by its own test. */
  let organization: object[];
  beforeAll(async () => {
    organization = await readOrganization();
  });

  it.each(withIds)('$name tells a stranger what it tells of nobody’s id, and changes nothing', async (operation) => {
    const missing = idsOf(operation, ['path', 'body']).filter((name) => idsFor(operation)[name] === undefined);
    expect(missing, 'ids that have to be made above').toEqual([]);
    const answers = [];
    for (const mode of ['SANDBOX', 'LIVE']) {
      const foreign = await ask(stranger, operation, idsFor(operation), mode);
      answers.push({ mode, foreign, unknown: await ask(stranger, operation, nobodys(operation), mode) });
    }
    const before = organization;
    organization = await readOrganization();
    expect(organization).toEqual(before);
    for (const { mode, foreign, unknown } of answers) {
      const isPlayMoney = mode === 'LIVE' && operation.path.startsWith('/sandbox');
      const told = [foreign.status, foreign.body.code];
      expect(told, foreign.text).toEqual(
        isPlayMoney ? [403, 'SANDBOX_ONLY'] : [404, expect.stringMatching(/_NOT_FOUND$/)],
      );
      expect([unknown.status, saidBy(unknown)]).toEqual([foreign.status, saidBy(foreign)]);
    }
  });

  it.each(withIds.filter(({ name }) => ofKeys.has(name)))(
    '$name tells a key of another business the same',
    async (operation) => {
      const [foreign, unknown] = await askedBy(stranger.business.secretKey, operation, [
        idsFor(operation),
        nobodys(operation),
      ]);
      expect([foreign.status, foreign.body.code], foreign.text).toEqual([404, expect.stringMatching(/_NOT_FOUND$/)]);
      expect([unknown.status, saidBy(unknown)]).toEqual([foreign.status, saidBy(foreign)]);
      expect(await readOrganization()).toEqual(organization);
    },
  );

  it.each(filtered)('$name finds by it what it finds by nobody’s', async (operation) => {
    for (const name of idsOf(operation, ['query'])) {
      const { url } = sampleRequest(operation, {});
      const id = String(name === 'subjectId' ? theirs['beneficiaryId'] : idsFor(operation)[name]);
      expect(id, `an id that has to be made above: ${name}`).not.toBe('undefined');
      const [foreign, unknown] = [
        await stranger.call('GET', `${url}?${name}=${id}`),
        await stranger.call('GET', `${url}?${name}=${newId()}`),
      ];
      expect([foreign.status, saidBy(foreign)]).toEqual([unknown.status, saidBy(unknown)]);
    }
  });

  it('stands in no list of another business', async () => {
    const ids = [...Object.entries(theirs), ['invited', invitedId], ['delivery', deliveryId], ['owner', owner.email]]
      .filter(([name, value]) => typeof value === 'string' && (IS_ID.test(String(name)) || name === 'owner'))
      .map(([, value]) => String(value));
    expect(ids.length).toBeGreaterThan(12);
    // Somebody who has asked for nothing yet: one's own log says what one asked for.
    const onlooker = await signedInMember(t, (await t.addMerchant()).merchantId, 'OWNER');
    const lists = operations.filter(
      ({ method, path }) => method === 'GET' && !path.includes('{') && !ENDLESS.has(path),
    );
    for (const operation of lists) {
      const reply = await ask(onlooker, operation, {});
      for (const id of [...ids, t.merchant.merchantId]) expect(reply.text, operation.name).not.toContain(id);
    }
  });

  // Last, because it removes things: without it the ids above might be nobody's, too.
  it('is there for its own people', async () => {
    const last = (operation: Operation) => (operation.method === 'DELETE' ? 1 : 0);
    const lost: string[] = [];
    for (const operation of withIds.toSorted((a, b) => last(a) - last(b))) {
      const reply = await ask(owner, operation, { ...idsFor(operation), pin: TEST_PIN });
      if (reply.status === 404 || reply.status === 400) lost.push(`${operation.name}: ${reply.text}`);
    }
    expect(lost).toEqual([]);
  });
});
