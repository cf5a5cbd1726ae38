import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Pgbench } from './pgbench.ts';
import { preparePgbenchOf } from './pgbench.ts';
import { type PostgresServer, SUPERUSER } from './postgres.ts';

/** Other ledgers are not in this repository, and nothing is fetched by itself. */
export const HOW_TO_ADD_PEERS = `Other ledgers, measured beside this one on the same server in the same run.

  git clone https://github.com/pgr0ss/pgledger
  PGLEDGER=$PWD/pgledger npm run bench -- --peers

pgledger is tables and functions of PostgreSQL: 100 accounts pay into one, one transfer a transaction, at as many clients
as pgbench has; the best run counts. It is asked on a Unix socket, without HTTP, keys, PINs, validation or events: what this
service does beside the transfer, whoever uses it does.

Another one that lives in PostgreSQL: a function like preparePgledger in bench/peers.ts, which loads its files and gives
pgbench a script of one transfer; then a load and a claim like pgledger's in bench/loads.ts and bench/claims.ts. One that is a server (Formance, Blnk, TigerBeetle): start it as its
makers say, on a disk and with fsync, and send it the same load: 100 sources, one destination, 256 transfers under way, each
with a key of its own and an answer that is awaited. Compare single transfers with single transfers: a batch of thousands
in one request stands beside "bare transfers straight into the ledger" (--only=ledger-bare).`;

const DATABASE = 'pgledger';
const SOURCES = 100;
const FILES = [
  'vendor/scoville-pgsql-ulid/ulid-to-uuid.sql',
  'vendor/scoville-pgsql-ulid/uuid-to-ulid.sql',
  'pgledger.sql',
];

const SCRIPT = `\\set source random(1, ${SOURCES})
select id from pgledger_create_transfer(
  (select id from bench_accounts where number = :source), (select id from bench_accounts where number = 0), 1.5);
`;

/** @param folder a clone of github.com/pgr0ss/pgledger */
export async function preparePgledger(server: PostgresServer, folder: string): Promise<Pgbench> {
  const files = FILES.map((file) => readFileSync(join(folder, file), 'utf8'));
  await server.database(DATABASE);
  const { socketFolder: host, port } = server;
  const client = new pg.Client({ host, port, user: SUPERUSER, database: DATABASE });
  await client.connect();
  try {
    for (const text of files) await client.query(text);
    await client.query('create table bench_accounts (number integer primary key, id text not null)');
    await client.query(
      `insert into bench_accounts
       select n, (select id from pgledger_create_account('account ' || n, 'NGN')) from generate_series(0, ${SOURCES}) n`,
    );
  } finally {
    await client.end();
  }
  const pgbench = preparePgbenchOf(server, DATABASE, SCRIPT);
  if (pgbench === undefined) throw new Error('pgledger is measured by pgbench, which is not installed');
  return pgbench;
}
