import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, openCluster } from '../../src/platform/db/embedded/cluster.ts';
import { ensurePostmaster, type Postmaster } from '../../src/platform/db/embedded/postmaster.ts';
import { DATABASE_NAME, runAlone, SERVICE_ROLE } from '../../src/platform/db/embedded/roles.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { childrenOf, makeDataDir, removeDataDir } from './service.ts';

/** A PostgreSQL server and its synchronous standby: what one has acknowledged, the other has. */
export interface ReplicatedPair {
  primaryPort: number;
  standbyPort: number;
  /** The address of the database at whatever servers are given. */
  addressOf(ports: readonly number[]): string;
  /** As a power cut does. */
  killPrimary(): void;
  /** It is there, and does nothing. */
  freezePrimary(): void;
  thawPrimary(): void;
  /** The standby takes writes from now on, and waits for nobody. */
  promoteStandby(): void;
  remove(): Promise<void>;
}

const logger = createLogger('silent');

export async function startReplicatedPair(): Promise<ReplicatedPair> {
  const [first, second] = [makeDataDir(), makeDataDir()];
  const primary = openCluster(first, logger);
  runAlone(primary, 'postgres', [`alter role ${SERVICE_ROLE} replication`]);
  runAlone(primary, DATABASE_NAME, [
    `grant execute on function pg_wal_replay_pause(), pg_wal_replay_resume() to ${SERVICE_ROLE}`,
  ]);
  appendFileSync(join(primary.data, 'pg_hba.conf'), `host replication ${SERVICE_ROLE} 127.0.0.1/32 scram-sha-256\n`);
  // With its owners: PostgreSQL starts only on files of the user that it runs as.
  execFileSync('cp', ['-a', join(first, 'pg'), second]);
  const standby = ownCopy(primary, join(second, 'pg'));
  appendFileSync(join(primary.data, 'postgresql.conf'), `\nsynchronous_standby_names = '*'\n`);
  const onPrimary = (await ensurePostmaster(primary, logger)).postmaster;
  followsFrom(standby, onPrimary, primary.password);
  const onStandby = (await ensurePostmaster(standby, logger)).postmaster;
  const signalPrimary = (name: NodeJS.Signals) => {
    for (const pid of [onPrimary.pid, ...childrenOf(onPrimary.pid)]) signal(pid, name);
  };
  return {
    primaryPort: onPrimary.port,
    standbyPort: onStandby.port,
    addressOf: (ports) =>
      `postgres://${SERVICE_ROLE}:${primary.password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/${DATABASE_NAME}`,
    killPrimary: () => signalPrimary('SIGKILL'),
    freezePrimary: () => signalPrimary('SIGSTOP'),
    thawPrimary: () => signalPrimary('SIGCONT'),
    promoteStandby() {
      writeFileSync(join(standby.data, 'promote'), '');
      signal(onStandby.pid, 'SIGUSR1');
    },
    async remove() {
      signalPrimary('SIGCONT');
      await removeDataDir(first);
      await removeDataDir(second);
      for (const folder of [first, second]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ownCopy(original: Cluster, home: string): Cluster {
  rmSync(join(home, 'port'), { force: true });
  return { ...original, home, data: join(home, 'data'), sockets: join(home, 'sockets') };
}

function followsFrom({ data, user }: Cluster, primary: Postmaster, password: string): void {
  const signalFile = join(data, 'standby.signal');
  writeFileSync(signalFile, '');
  if (user !== undefined) chownSync(signalFile, user.uid, user.gid);
  const from = `host=127.0.0.1 port=${primary.port} user=${SERVICE_ROLE} password=${password}`;
  appendFileSync(join(data, 'postgresql.conf'), `\nprimary_conninfo = '${from}'\n`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
