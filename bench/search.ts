import { openDatabase } from '../src/platform/db/database.ts';
import { createLogger } from '../src/platform/logger.ts';
import { fillIndex } from '../src/search/index.ts';
import { onServer } from './postgres.ts';
import { median, type Run } from './run.ts';
import type { Payer } from './seed.ts';

const CHUNK = 100_000;
const FIRST_NAMES =
  'Adebayo Chukwuemeka Musa Ngozi Aisha Ibrahim Tunde Funke Emeka Chinedu Bola Yusuf Fatima Zainab Halima Kelechi';
/** As many surnames as a country has that are not rare: each of them is one payout's in a thousand or two. */
const SURNAMES = 1_600;
const SEARCHES = 60;

/** An id that sorts by `n` and before every id of today. */
const idOf = (
  n: string,
) => `('0190f000-' || lpad(to_hex(${n} / 65536), 4, '0') || '-7' || lpad(to_hex(${n} % 4096), 3, '0')
  || '-8' || substr(md5(${n}::text), 1, 3) || '-' || substr(md5('x' || ${n}), 1, 12))::uuid`;
const surnameOf = (n: string) => `(array['Okaf','Bell','Eze','Lawa','Nwan','Sani','Baba','Ogun'])[1 + ${n} % 8]
  || (array['or','iyi','amu','bia','ede','oro','ula','ime','eka','osa'])[1 + (${n} / 8) % 10]
  || (array['le','na','ku','mi','so','ta','wo','re','di','gu','ba','pe','ji','za','fo','ye','ha','ni','ro','lo'])[1 + (${n} / 80) % 20]`;

/** Gives a merchant so many payouts that succeeded: what is searched of them, without their books. */
export async function fillPayouts(databaseUrl: string, merchantId: string, payouts: number): Promise<void> {
  for (let from = 1; from <= payouts; from += CHUNK) {
    const to = Math.min(from + CHUNK - 1, payouts);
    await onServer(databaseUrl, insertTransactions(merchantId, from, to), insertPayouts(merchantId, from, to));
  }
  await onServer(databaseUrl, 'vacuum (analyze) transactions', 'vacuum (analyze) payouts');
}

function insertTransactions(merchantId: string, from: number, to: number): string {
  const names = FIRST_NAMES.split(' ').map((name) => `'${name}'`);
  return `insert into transactions (merchant_id, mode, id, category, status, amount_minor, charges_minor, currency, narration,
            description, wallet_id, provider_wallet_id, beneficiary_bank_name, beneficiary_bank_code,
            beneficiary_account_number, beneficiary_account_name, originator_bank_name, originator_bank_code,
            originator_account_number, originator_account_name, created_at, updated_at, paid_at)
    select '${merchantId}', 'SANDBOX', ${idOf('n')}, 'PAYOUT', 'SUCCESS', 100 * (1 + n * 7919 % 250000), 0, 'NGN', 'Salary',
           'Payout', ${idOf('0')}, ${idOf('0')}, 'Bank', '058', lpad((n * 7919 % 10000000000)::text, 10, '0'),
           (array[${names.join(', ')}])[1 + n % ${names.length}] || ' ' || ${surnameOf(`(n * 31 % ${SURNAMES})`)}, 'Wallet', '999', '0000000000', 'Shop',
           at, at, at
      from generate_series(${from}::bigint, ${to}::bigint) as n
     cross join lateral (values (timestamptz '2025-01-01' + n * interval '1 second')) as made (at)`;
}

function insertPayouts(merchantId: string, from: number, to: number): string {
  return `insert into payouts (merchant_id, mode, id, purpose, rail, rail_reference, next_step, attempts, session_id,
            fee_minor, vat_minor, stamp_duty_minor, amount_hold_id)
    select '${merchantId}', 'SANDBOX', ${idOf('n')}, 'GENERAL', 'sandbox', n::text, 'QUERY', 1,
           '000014' || lpad((n * 104729 % 1000000000000)::text, 12, '0') || lpad((n * 7919 % 1000000000000)::text, 12, '0'),
           0, 0, 0, ${idOf('n')}
      from generate_series(${from}::bigint, ${to}::bigint) as n`;
}

/** What a worker does of it, at once. @returns so many payouts a second came into the index */
export async function indexPayouts(databaseUrl: string, merchantId: string, payouts: number): Promise<Run> {
  const database = openDatabase({ connectionString: databaseUrl, maxConnections: 2, logger: createLogger('error') });
  const startedAt = performance.now();
  try {
    await fillIndex({ database }, { merchantId, mode: 'SANDBOX' });
  } finally {
    await database.close();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { rate: payouts / seconds, seconds };
}

/** Searches of one kind, one at a time over HTTP, no two for the same; each has to find something. */
export async function runSearches(
  baseUrl: string,
  payer: Payer,
  queries: readonly string[],
  path = (q: string) => `/search?q=${encodeURIComponent(q)}`,
): Promise<Run> {
  const times: number[] = [];
  for (const q of queries) {
    const startedAt = performance.now();
    const reply = await fetch(`${baseUrl}${path(q)}`, { headers: { authorization: `Bearer ${payer.key}` } });
    const { data } = (await reply.json()) as { data?: { hits?: unknown[]; wallet?: unknown } };
    times.push(performance.now() - startedAt);
    if (!reply.ok || (data?.wallet === undefined && data?.hits?.length === 0)) throw new Error(`${q} found nothing`);
  }
  const p99Ms = times.toSorted((a, b) => a - b).at(-1) ?? Number.NaN;
  return { rate: 1_000 / median(times), p50Ms: median(times), p99Ms };
}

/** What people would type of payouts that are there: of the oldest and the newest. */
export async function queriesOf(databaseUrl: string, merchantId: string): Promise<Record<string, string[]>> {
  const found = await onServer(
    databaseUrl,
    `select beneficiary_account_name as name, replace(id::text, '-', '') as hex, amount_minor / 100 as naira
       from transactions where merchant_id = '${merchantId}' order by substr(id::text, 25) limit ${SEARCHES}`,
  );
  const rows = (found?.rows ?? []) as { name: string; hex: string; naira: string }[];
  return {
    'search-payee': rows.map(({ name }) => name.toLowerCase()),
    'search-first-name': FIRST_NAMES.split(' ').map((name) => name.slice(0, 4)),
    'search-reference': rows.map(({ hex }) => hex.slice(-10)),
    'search-amount': rows.map(({ naira }) => naira),
  };
}
