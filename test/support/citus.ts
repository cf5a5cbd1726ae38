import pg from 'pg';
import { PLACEMENTS } from '../../src/placements.ts';
import { distribute } from '../../src/platform/db/distribute.ts';
import { createLogger } from '../../src/platform/logger.ts';

/**
 * Tests on a server of Citus: `TEST_DATABASE_URL` leads to the coordinator, and `TEST_CITUS_SERVERS` lists all servers as
 * `host:port`, the coordinator first. The role has to be a superuser there: a database has to be made on each of them.
 */
export const CITUS_SERVERS = (process.env.TEST_CITUS_SERVERS ?? '').split(',').filter((server) => server !== '');

/** The address of a database at one of those servers. */
export const onServerOf = (server: string, coordinator: string, database: string): string => {
  const address = new URL(coordinator);
  address.host = server;
  address.pathname = database;
  return address.href;
};

/** Runs a statement in a database of each server. */
export async function onEachServer(coordinator: string, database: string, sql: string): Promise<void> {
  const runOn = async (server: string) => {
    const client = new pg.Client({ connectionString: onServerOf(server, coordinator, database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      for (const one of sql.split(';')) await client.query(one);
    } finally {
      await client.end();
    }
  };
  await Promise.all(CITUS_SERVERS.map(runOn));
}

/** Makes a template that is migrated already one of Citus, and distributes it. */
export async function distributeTemplate(coordinator: string, connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const [first = '', ...workers] = CITUS_SERVERS.map((server) => new URL(`postgres://${server}`));
    await client.query('select citus_set_coordinator_host($1, $2)', addressOf(new URL(String(first))));
    for (const worker of workers) await client.query('select citus_add_node($1, $2)', addressOf(worker));
    await client.query(`alter database ${new URL(connectionString).pathname.slice(1)} set citus.shard_count = 4`);
  } finally {
    await client.end();
  }
  await distribute({ connectionString, placements: PLACEMENTS, logger: createLogger('warn') });
  // Nobody may be connected to a template that is cloned, not even the process that Citus keeps in each database.
  const name = new URL(connectionString).pathname.slice(1);
  await onEachServer(
    coordinator,
    'postgres',
    `alter database ${name} with allow_connections false;
     select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
}

const addressOf = (server: URL): [string, number] => [server.hostname, Number(server.port)];
