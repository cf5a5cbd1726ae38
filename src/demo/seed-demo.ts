import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isTrivialPin } from '../access/index.ts';
import { listMerchants, type NewMerchant } from '../merchants/index.ts';
import { createPerson } from '../people/index.ts';
import { type MadeMerchant, type MakeMerchantDeps, makeMerchant } from './make-merchant.ts';

/**
 * What a start says when the service is up. A person at a terminal also gets a line to paste that moves money; anywhere
 * else standard output ends in a log that is kept and read by others, so it holds no key and no PIN.
 */
export function banner(
  { baseUrl, dataDir, isTerminal }: { baseUrl: string; dataDir: string; isTerminal: boolean },
  demo: DemoFile | undefined,
): string {
  const lines = [
    '',
    `  Manilla is up at ${baseUrl}`,
    `  Dashboard:      ${baseUrl}/dashboard/`,
    `  API reference:  ${baseUrl}/docs`,
  ];
  if (demo !== undefined) lines.push(`  Demo sign-ins:  ${join(dataDir, 'demo.json')} (with the key and the PIN)`);
  if (demo !== undefined && isTerminal) {
    const body = JSON.stringify({ pin: demo.pin, amount: 1500.5, storeId: demo.storeIds[0], narration: 'First sweep' });
    lines.push(
      '',
      '  Move ₦1,500.50 from a demo store to the merchant wallet:',
      '',
      `curl -X POST ${baseUrl}/branch/store/debit -H 'Authorization: Bearer ${demo.secretKey}' -H 'Content-Type: application/json' -d '${body}'`,
    );
  }
  return `${lines.join('\n')}\n`;
}

interface SignInData {
  email: string;
  password: string;
}

/** `DATA_DIR/demo.json`: how to sign in to what the first start made. */
export interface DemoFile {
  baseUrl: string;
  merchantId: string;
  secretKey: string;
  publicKey: string;
  pin: string;
  storeIds: string[];
  subaccountIds: string[];
  dashboard: SignInData;
  operator: SignInData;
  /** A second member, who may approve, and a second one of the operator's staff. */
  colleagues: { approver: SignInData; operator: SignInData };
  pendingMerchant: { merchantId: string; secretKey: string };
}

const pathIn = (dataDir: string) => join(dataDir, 'demo.json');

export function readDemoFile(dataDir: string): DemoFile | undefined {
  const path = pathIn(dataDir);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as DemoFile) : undefined;
}

/**
 * A note that the demo is being made: where it is found at a start, an earlier one was killed over it, and what it left
 * in the database has keys that nobody knows.
 */
const notePathIn = (dataDir: string) => join(dataDir, 'demo.unfinished');

export function noteDemoBegun(dataDir: string): void {
  // With the secrets and the database elsewhere nobody has made it.
  mkdirSync(dataDir, { recursive: true });
  writeAnew(notePathIn(dataDir), 'The next start makes the demo anew.\n');
}

export function isDemoUnfinished(dataDir: string): boolean {
  return existsSync(notePathIn(dataDir)) && !existsSync(pathIn(dataDir));
}

/** A link there is replaced, and not followed: the folder may be another user's than this process's, which may be root's. */
function writeAnew(path: string, text: string): void {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
}

/** Only its owner may read it. Written aside and renamed, so that it is whole or not there. */
export function writeDemoFile(dataDir: string, demo: DemoFile): void {
  const path = pathIn(dataDir);
  writeAnew(`${path}.new`, `${JSON.stringify(demo, null, 2)}\n`);
  renameSync(`${path}.new`, path);
  rmSync(notePathIn(dataDir), { force: true });
}

/** The service, called without a socket. */
interface Callable {
  inject(request: {
    method: 'GET' | 'POST';
    url: string;
    headers: Record<string, string>;
    payload?: object;
  }): Promise<{ json<T>(): T; statusCode: number }>;
}

/** Naira. */
const WALLET_AMOUNT = 10_000_000;
const STORE_AMOUNT = 1_000_000;

const PROFILE: NewMerchant = {
  businessName: 'Adire & Co',
  email: 'hello@adire.example',
  phoneNumber: '2348012345678',
  businessCategory: 'Retail',
  registrationNumber: 'RC1234567',
  address: '12 Awolowo Road, Ikoyi',
  city: 'Lagos',
  state: 'Lagos',
  country: 'Nigeria',
  directorDateOfBirth: '1988-04-12',
  bvn: '22212345901',
  cacDocuments: ['https://adire.example/cac/certificate.pdf'],
  kycCompletedFields: [
    'BASIC_DETAILS',
    'BUSINESS_DETAILS',
    'BUSINESS_DOCUMENTS',
    'DIRECTOR_DETAILS',
    'SETTLEMENT_ACCOUNT',
  ],
  owner: { firstName: 'Amaka', lastName: 'Obi', email: 'amaka@adire.example', phoneNumber: '2348012345678' },
};

const PENDING_PROFILE: NewMerchant = {
  businessName: 'Suya Spot',
  email: 'hello@suya.example',
  phoneNumber: '2348087654321',
  businessCategory: 'Food',
  registrationNumber: 'RC7654321',
  address: '3 Allen Avenue, Ikeja',
  city: 'Ikeja',
  state: 'Lagos',
  country: 'Nigeria',
  directorDateOfBirth: '1992-09-30',
  bvn: '22298765432',
  kycCompletedFields: ['BASIC_DETAILS', 'BUSINESS_DETAILS'],
};

/**
 * Fills an empty database with a demo operator and merchants. Stores, subaccounts and money are made through the API
 * itself, with the merchant's own key. Undefined when there is a merchant already, unless that is what an
 * earlier start left unfinished: then all is made anew beside it.
 */
export async function seedDemo(
  deps: MakeMerchantDeps,
  server: Callable,
  { unfinished, begin }: { unfinished: boolean; begin: () => void },
): Promise<Omit<DemoFile, 'baseUrl'> | undefined> {
  if (!unfinished && (await listMerchants(deps.database, { limit: 1 })).length > 0) return undefined;
  begin();
  const pin = randomPin();
  // An address is one person's: those of an unfinished start may be taken.
  const at = unfinished ? `+${randomBytes(3).toString('hex')}@` : '@';
  const dashboard = { email: `amaka${at}adire.example`, password: randomBytes(12).toString('base64url') };
  const operator = { email: `operator${at}manilla.example`, password: randomBytes(12).toString('base64url') };
  const approver = { email: `bola${at}adire.example`, password: randomBytes(12).toString('base64url') };
  const secondOperator = { email: `second${at}manilla.example`, password: randomBytes(12).toString('base64url') };
  const owner = { ...dashboard, firstName: 'Amaka', lastName: 'Obi' };
  const merchant = await makeMerchant(deps, { profile: PROFILE, approved: true, pin, owner });
  const pending = await makeMerchant(deps, { profile: PENDING_PROFILE, approved: false, mode: 'LIVE' });
  const { storeIds, subaccountIds } = await fillWallets(server, merchant);
  const member = { kind: 'MEMBER', merchantId: merchant.merchantId } as const;
  await createPerson(deps, { ...approver, ...member, role: 'APPROVER', firstName: 'Bola', lastName: 'Ade' });
  await createPerson(deps, { ...operator, kind: 'OPERATOR', firstName: 'Ngozi', lastName: 'Eze' });
  await createPerson(deps, { ...secondOperator, kind: 'OPERATOR', firstName: 'Tunde', lastName: 'Bello' });
  return {
    ...merchant,
    pin,
    storeIds,
    subaccountIds,
    dashboard,
    operator,
    colleagues: { approver, operator: secondOperator },
    pendingMerchant: { merchantId: pending.merchantId, secretKey: pending.secretKey },
  };
}

const MAX_ATTEMPTS = 60;
const TRY_AGAIN_MS = 500;

async function fillWallets(server: Callable, merchant: MadeMerchant) {
  const call = async <T>(method: 'GET' | 'POST', url: string, payload?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${merchant.secretKey}` };
    const ask = () => server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
    let answer = await ask();
    // Nobody else is served yet: a machine that is busy with its start is waited for.
    for (let attempts = 0; answer.statusCode === 503 && attempts < MAX_ATTEMPTS; attempts += 1) {
      await sleep(TRY_AGAIN_MS);
      answer = await ask();
    }
    const body = answer.json<{ status: boolean; message: string; data: T }>();
    if (!body.status) throw new Error(`${method} ${url}: ${body.message}`);
    return body.data;
  };
  const { wallet } = await call<{ wallet: { id: string } }>('GET', '/wallet/merchant');
  await call('POST', '/sandbox/wallet/fund', { walletId: wallet.id, amount: WALLET_AMOUNT });
  const storeIds: string[] = [];
  for (const name of ['Ikeja', 'Yaba', 'Lekki']) {
    const store = await call<{ storeId: string; walletId: string }>('POST', '/branch/store', { name });
    await call('POST', '/sandbox/wallet/fund', { walletId: store.walletId, amount: STORE_AMOUNT });
    storeIds.push(store.storeId);
  }
  const subaccountIds: string[] = [];
  for (const name of ['Rent', 'Payroll', 'Suppliers']) {
    const subaccount = await call<{ subaccountId: string }>('POST', '/subaccount', { name });
    subaccountIds.push(subaccount.subaccountId);
  }
  return { storeIds, subaccountIds };
}

function randomPin(): string {
  const pin = String(randomInt(10_000)).padStart(4, '0');
  return isTrivialPin(pin) ? randomPin() : pin;
}
