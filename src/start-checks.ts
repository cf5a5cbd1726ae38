import { requireSecrets } from './peppers/index.ts';
import type { Clock } from './platform/clock.ts';
import { type Database, isNotMigrated, isRightMissing, RightMissingError } from './platform/db/database.ts';
import { NotDurableError, unsafeSettings } from './platform/db/durability.ts';
import { RIGHT_MISSING_WORDS, readinessOf } from './platform/db/readiness.ts';
import { isSuperuser } from './platform/db/role.ts';
import type { Logger } from './platform/logger.ts';
import { OtherSecretsError, type Secrets } from './platform/secrets.ts';

const FIRST_LOOK_MS = 2_000;
const LAST_LOOK_MS = 60_000;

interface StartCheckDeps {
  database: Database;
  secrets: Secrets;
  clock: Clock;
  logger: Logger;
  /** Where whether a pooler is right is not known yet. */
  requirePooling?: StartCheck | undefined;
}

/** @returns false where it could not find out. @throws what this process ends with */
type StartCheck = () => Promise<boolean>;

/**
 * What has to be right about the database before anything is served. A check that could not find out, since the database is
 * away, is made again until it does, rarer each time. What is wrong then ends the process in order, as it would have ended
 * its start: the error is nobody's to catch.
 */
export interface StartChecks {
  /** @throws PoolerError, NotDurableError */
  beforeMigration(): Promise<void>;
  /** @throws OtherSecretsError, RightMissingError */
  afterMigration(): Promise<void>;
  /** Makes none any more. */
  end(): void;
}

export function createStartChecks(deps: StartCheckDeps): StartChecks {
  let isEnded = false;
  const timers = new Set<NodeJS.Timeout>();

  const sayNotMigrated = sayRarely(deps.logger);

  async function check(one: StartCheck): Promise<void> {
    if (!(await one())) checkAgain(one, FIRST_LOOK_MS);
  }

  function checkAgain(one: StartCheck, afterMs: number): void {
    if (isEnded) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void lookAgain(one, afterMs);
    }, afterMs);
    timers.add(timer.unref());
  }

  async function lookAgain(one: StartCheck, afterMs: number): Promise<void> {
    const isKnown = await one().catch((error: unknown) => {
      // The end of its database is nothing that it found.
      if (isEnded) return true;
      throw error;
    });
    if (!isKnown) checkAgain(one, Math.min(afterMs * 2, LAST_LOOK_MS));
  }

  return {
    async beforeMigration() {
      void check(() => warnOfSuperuser(deps));
      if (deps.requirePooling !== undefined) checkAgain(deps.requirePooling, FIRST_LOOK_MS);
      await check(() => requireDurable(deps));
    },
    async afterMigration() {
      await check(() => requireTables(deps, sayNotMigrated));
      await check(() => checkSecrets(deps, () => isEnded));
    },
    end() {
      isEnded = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** A line for as long as it is so, one a minute at most. */
function sayRarely(logger: Logger): () => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (performance.now() - saidAt < LAST_LOOK_MS) return;
    saidAt = performance.now();
    logger.warn('the database has not the tables of this version: run npm run migrate');
  };
}

/** @throws RightMissingError where every write of this account would fail */
async function requireTables({ database }: StartCheckDeps, sayNotMigrated: () => void): Promise<boolean> {
  const found = await readinessOf(database);
  if (found === 'RIGHT_MISSING') {
    throw new RightMissingError(RIGHT_MISSING_WORDS);
  }
  if (found === 'NOT_MIGRATED') sayNotMigrated();
  return found === 'READY';
}

/** A database that is away or not migrated is waited for by readiness; what then does not open is refused as such. */
async function checkSecrets(
  { database, secrets, clock, logger }: StartCheckDeps,
  isEnded: () => boolean,
): Promise<boolean> {
  try {
    await requireSecrets({ queries: database, secrets, clock });
    return true;
  } catch (error) {
    // A start that is stopped has no database any more.
    if (isEnded() || error instanceof OtherSecretsError || isRightMissing(error)) throw error;
    // The look for tables says so.
    if (isNotMigrated(error)) return false;
    logger.warn({ err: error }, 'whether the secrets are those of this database could not be looked up');
    return false;
  }
}

/** An attacker who finds a hole in one of our statements would control the database's machine. */
async function warnOfSuperuser({ database, logger }: StartCheckDeps): Promise<boolean> {
  const found = await isSuperuser(database.pool).catch(() => undefined);
  if (found === true) {
    logger.warn('the account in DATABASE_URL is a superuser: give Manilla one that owns its database and no more');
  }
  return found !== undefined;
}

/**
 * Where a power cut would lose what was answered. What a role or a database can be given is refused; what the whole server is
 * set to, such as one for tests, is said. @throws NotDurableError
 */
async function requireDurable({ database, logger }: StartCheckDeps): Promise<boolean> {
  const unsafe = await unsafeSettings(database.pool).catch(() => undefined);
  if (unsafe === undefined) return false;
  if (unsafe.includes('synchronous_commit = off')) {
    throw new NotDurableError(
      'The database acknowledges commits before they are on disk: synchronous_commit is off, for its server, the database ' +
        'or the role, or for one of the servers of Citus. A power cut would lose money that was moved. Set it to on, or to a remote_* level.',
    );
  }
  if (unsafe.length > 0) logger.warn({ settings: unsafe }, 'the database server would lose commits in a power cut');
  return true;
}
