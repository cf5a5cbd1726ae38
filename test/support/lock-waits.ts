import { CITUS_SERVERS, onServerOf } from './citus.ts';
import { rowsOf } from './world.ts';

const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** How many connections of this database wait for a lock: where Citus distributes it, at whichever server they do. */
export async function lockWaits(connectionString: string): Promise<number> {
  const { pathname } = new URL(connectionString);
  const addresses =
    CITUS_SERVERS.length === 0
      ? [connectionString]
      : CITUS_SERVERS.map((server) => onServerOf(server, connectionString, pathname));
  const waiting = await Promise.all(addresses.map((address) => rowsOf(address, WAITING, [], 'lock-waits')));
  return waiting.flat().length;
}
