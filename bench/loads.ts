import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../src/platform/db/migrate.ts';
import { createLogger } from '../src/platform/logger.ts';
import { runBatch } from './batch.ts';
import { runChild } from './child.ts';
import { runCopies, runCredits, runPoll, startProvider } from './collections.ts';
import { fillTransfers, untilAddedUp } from './growth.ts';
import { debitTargets, sessionTargets } from './http-load.ts';
import { runPayday } from './payday.ts';
import { fundWallets, payoutTargets, runPayouts } from './payouts.ts';
import { preparePgledger } from './peers.ts';
import { forgetProofs, makeOldPins, runBesideStorm, whileOldPins, whileProofsExpire } from './pin-storm.ts';
import { runQuiet } from './quiet.ts';
import { listTargets, openTargets, runAlone, runBesideRefused } from './refused-bodies.ts';
import type { Run } from './run.ts';
import { fillPayouts, indexPayouts, queriesOf, runSearches } from './search.ts';
import type { Payer } from './seed.ts';
import { ROOT, type Service, startApi, startRowLockServer } from './service.ts';
import { type Home, progress, runAgainst, type Stage, type Tally, tallyOf } from './stage.ts';
import { runSlowReceiver, runWebhooks } from './webhooks.ts';

/** Names of the databases; `bare` and `grown` hold transfers without transactions. */
export const DATABASES = {
  service: 'service',
  rowLock: 'row_lock',
  processes: 'processes',
  ledger: 'ledger',
  bare: 'bare',
  empty: 'empty',
  grown: 'grown',
  commits: 'commits',
  batch: 'batch',
  slowBatch: 'slow_batch',
  webhooks: 'webhooks',
  unordered: 'unordered',
  payouts: 'payouts',
  payday: 'payday',
  credits: 'credits',
  creditPoll: 'credit_poll',
  creditCopies: 'credit_copies',
  search: 'search',
};

/** One measured run. A load that compares two things by turns gives a run of each, by name. */
export type Measure = () => Promise<Record<string, Run>>;

export interface Load {
  name: string;
  /** Too long for rounds: done once, at the end. */
  once?: true;
  /** Makes what the load needs, chooses its best settings, warms up. */
  prepare(stage: Stage): Promise<Measure>;
}

const oneWallet: Load = {
  name: 'one-wallet',
  async prepare(stage) {
    const { home, targetsFile } = await oneWalletOf(stage, DATABASES.service);
    const run = (seconds: number) => runAgainst(stage, home.service, { targetsFile, seconds, debits: home.name });
    await warmUp(stage, run);
    // Before any other load: the rounds share this process with loads of a thousand merchants.
    let first: Run | undefined = await run(stage.plan.rounds * stage.plan.runSeconds);
    return async () => {
      const runs = {
        'one-wallet': await run(stage.plan.runSeconds),
        ...(first !== undefined && { 'first-load': first }),
      };
      first = undefined;
      return runs;
    };
  },
};

const rowLock: Load = {
  name: 'row-lock',
  async prepare(stage) {
    // A database of its own, with the same in it. The service made the merchant there and has nothing more to do.
    const { home, targetsFile } = await oneWalletOf(stage, DATABASES.rowLock);
    await home.service.stop();
    const run = (service: Service) => (seconds: number) =>
      runAgainst(stage, service, { targetsFile, seconds, debits: home.name });
    const start = (pool: number) => startRowLockServer(home.databaseUrl, pool);
    const pool = await best(stage, 'pool size of the row-lock server', stage.plan.rowLockPools, async (candidate) => {
      const service = await start(candidate);
      try {
        await run(service)(1);
        return await run(service)(stage.plan.tuningSeconds);
      } finally {
        await service.stop();
      }
    });
    const service = await start(pool);
    await warmUp(stage, run(service));
    return async () => ({ 'row-lock': await run(service)(stage.plan.runSeconds) });
  },
};

/** The debits of `one-wallet` by one process and by two, by turns on one database: what two take more of the processor. */
const processes: Load = {
  name: 'processes',
  async prepare(stage) {
    // Its workers would follow what is measured, in the database's time.
    const { home, targetsFile } = await oneWalletOf(stage, DATABASES.processes);
    await home.service.stop();
    const start = (count: number) => startApi(home.databaseUrl, { PROCESSES: String(count) });
    const services = { 'one-process': await start(1), 'two-processes': await start(2) };
    const run = (service: Service, seconds: number) =>
      runAgainst(stage, service, { targetsFile, seconds, debits: home.name });
    // Each half of two has half of the requests to get warm by.
    await warmUp(stage, (seconds) => run(services['one-process'], seconds));
    await warmUp(stage, (seconds) => run(services['two-processes'], seconds * 2));
    return async () => {
      const runs: Record<string, Run> = {};
      for (const [name, service] of Object.entries(services)) runs[name] = await run(service, stage.plan.runSeconds);
      return runs;
    };
  },
};

const spread: Load = {
  name: 'spread',
  async prepare(stage) {
    const home = await stage.home(DATABASES.service);
    const payers = await stage.payers(home, stage.plan.merchants, 1);
    const targetsFile = stage.targets('spread', debitTargets(payers));
    const run = (seconds: number) => runAgainst(stage, home.service, { targetsFile, seconds, debits: home.name });
    await warmUp(stage, run);
    return async () => {
      await forgetProofs(home.databaseUrl);
      return { spread: await whileProofsExpire(home.databaseUrl, () => run(stage.plan.runSeconds)) };
    };
  },
};

/** One merchant under the load of `one-wallet`, alone and while others give their PIN for the first time. */
const pinStorm: Load = {
  name: 'pin-storm',
  async prepare(stage) {
    const { home, targetsFile } = await oneWalletOf(stage, DATABASES.service);
    const others = await stage.payers(home, stage.plan.merchants, 1);
    const old = others.slice(0, stage.plan.oldPins);
    const oldPins = await makeOldPins(old);
    const run = (seconds: number) => runAgainst(stage, home.service, { targetsFile, seconds, debits: home.name });
    const beside = async (payers: readonly Payer[]): Promise<{ run: Run; storm: Run }> => {
      const { runSeconds } = stage.plan;
      const stormy = await runBesideStorm(home.service.baseUrl, payers, () => run(runSeconds));
      tallyOf(stage, home.name).acknowledged += stormy.firstDebits;
      return { run: stormy.run, storm: { rate: stormy.firstDebits / runSeconds } };
    };
    await warmUp(stage, run);
    return async () => {
      await forgetProofs(home.databaseUrl);
      const alone = await run(stage.plan.runSeconds);
      const first = await beside(others);
      // The same debits once more, of PINs that are proved by now: what is left over is the price of the first ones.
      const again = await beside(others);
      const upgraded = await whileOldPins(home.databaseUrl, oldPins, () => beside(old));
      return {
        'neighbour-alone': alone,
        'pin-storm': first.run,
        'first-pins': first.storm,
        'proved-storm': again.run,
        'proved-pins': again.storm,
        'old-pin-storm': upgraded.run,
        'old-first-pins': upgraded.storm,
      };
    };
  },
};

/** A merchant's ordinary requests, alone and while somebody sends large bodies that are refused. */
const refusedBodies: Load = {
  name: 'refused-bodies',
  once: true,
  async prepare(stage) {
    const home = await stage.home(DATABASES.service);
    const [neighbour, attacker] = (await stage.payers(home, 2, 1)) as [Payer, Payer];
    const open = stage.targets('refused-bodies', openTargets);
    const lists = stage.targets('refused-lists', listTargets(attacker));
    const counted = async <T extends { debits: number }>(run: Promise<T>): Promise<T> => {
      const had = await run;
      tallyOf(stage, home.name).acknowledged += had.debits;
      await sleep(stage.plan.settleMs);
      return had;
    };
    await warmUp(stage, (seconds) => counted(runAlone(home, neighbour, seconds)));
    return async () => {
      const { runSeconds: seconds } = stage.plan;
      const { neighbour: alone } = await counted(runAlone(home, neighbour, seconds));
      const beside = (targetsFile: string) =>
        counted(runBesideRefused(home, neighbour, { targetsFile, seconds, alone }));
      const bodies = await beside(open);
      const besideLists = await beside(lists);
      return {
        'ordinary-alone': alone,
        'refused-bodies': bodies.neighbour,
        'open-attack': bodies.attack,
        'refused-lists': besideLists.neighbour,
        'list-attack': besideLists.attack,
      };
    };
  },
};

const ledgerLoad = (name: 'ledger-full' | 'ledger-bare', database: string): Load => ({
  name,
  async prepare(stage) {
    const databaseUrl = await stage.server.database(database);
    await migrate({ connectionString: databaseUrl, logger: createLogger('error') });
    const kind = name === 'ledger-bare' ? 'bare' : 'full';
    const run = async (committers: number, warmUpSeconds: number, seconds: number): Promise<Run> => {
      const args = [join(ROOT, 'bench/ledger-load.ts'), kind, committers, warmUpSeconds, seconds, stage.server.pid];
      const output = await runChild(process.execPath, args.map(String), {
        cwd: ROOT,
        env: { DATABASE_URL: databaseUrl },
        timeoutMs: (warmUpSeconds + seconds) * 1000 + 60_000,
      });
      const line = /^RESULT (.+)$/m.exec(output)?.[1];
      if (line === undefined) throw new Error(`ledger-load said nothing of a result:\n${output}`);
      const { acknowledged, ...figures } = JSON.parse(line) as Run & { acknowledged: number };
      tallyOf(stage, database).acknowledged += acknowledged;
      return figures;
    };
    const committers = await best(stage, `lanes of ${name}`, stage.plan.ledgerCommitters, (candidate) =>
      run(candidate, 1, stage.plan.tuningSeconds),
    );
    return async () => ({ [name]: await run(committers, stage.plan.warmUpSeconds, stage.plan.runSeconds) });
  },
});

const read: Load = {
  name: 'read',
  async prepare(stage) {
    const { home, payers } = await oneWalletOf(stage, DATABASES.service);
    const keys = payers.map(({ key }) => key);
    const wallet = stage.targets(
      'read',
      keys.map((key) => ({ method: 'GET' as const, path: '/wallet/merchant', key })),
    );
    const empty = stage.targets('empty-route', [{ method: 'GET', path: '/healthz' }]);
    const run = (targetsFile: string) => (seconds: number) => runAgainst(stage, home.service, { targetsFile, seconds });
    await warmUp(stage, run(empty));
    await warmUp(stage, run(wallet));
    return async () => ({
      'empty-route': await run(empty)(stage.plan.runSeconds),
      read: await run(wallet)(stage.plan.runSeconds),
    });
  },
};

const quiet: Load = {
  name: 'quiet',
  async prepare(stage) {
    const { home, payers } = await oneWalletOf(stage, DATABASES.service);
    const commitsUrl = await stage.server.database(DATABASES.commits);
    const run = async (debits: number) => {
      const measured = await runQuiet({ baseUrl: home.service.baseUrl, commitsUrl, payer: payers[0] as Payer }, debits);
      tallyOf(stage, home.name).acknowledged += debits;
      return measured;
    };
    await run(Math.ceil(stage.plan.quietDebits / 2));
    return () => run(stage.plan.quietDebits);
  },
};

const growth: Load = {
  name: 'growth',
  async prepare(stage) {
    const empty = await oneWalletOf(stage, DATABASES.empty);
    const grown = await oneWalletOf(stage, DATABASES.grown);
    const { merchantId } = grown.payers[0] as Payer;
    await fillTransfers(grown.home.databaseUrl, merchantId, stage.plan.grownTransfers, progress);
    const run =
      ({ home, targetsFile }: typeof empty) =>
      (seconds: number) =>
        runAgainst(stage, home.service, { targetsFile, seconds, debits: home.name });
    await warmUp(stage, run(empty));
    await warmUp(stage, run(grown));
    progress('waiting until what was filled in is added up');
    await untilAddedUp(grown.home.databaseUrl);
    return async () => ({
      'empty-table': await run(empty)(stage.plan.runSeconds),
      'grown-table': await run(grown)(stage.plan.runSeconds),
    });
  },
};

/** Calls of the service to its rail at once, as every installation begins with. */
export const RAIL_CONCURRENCY = 64;
export const SLOW_RAIL_MS = 200;

const batch: Load = {
  name: 'batch',
  once: true,
  async prepare(stage) {
    const home = await stage.home(DATABASES.batch);
    return () => measureBatch(stage, home, 'batch', stage.plan.batchItems);
  },
};

const slowBatch: Load = {
  name: 'slow-batch',
  once: true,
  async prepare(stage) {
    const env = { RAIL_CONCURRENCY: String(RAIL_CONCURRENCY), SANDBOX_RAIL_DELAY_MS: String(SLOW_RAIL_MS) };
    const home = await stage.home(DATABASES.slowBatch, env);
    return () => measureBatch(stage, home, 'slow-batch', stage.plan.slowBatchItems);
  },
};

async function measureBatch(stage: Stage, home: Home, name: string, items: number): Promise<Record<string, Run>> {
  const [payer, neighbour] = (await stage.payers(home, 2, 1)) as [Payer, Payer];
  const { folder } = stage;
  const { pid: postmaster } = stage.server;
  const runs = await runBatch({ service: home.service, postmaster, payer, neighbour, folder, items });
  tallyOf(stage, home.name).acknowledged += runs.neighbourDebits;
  return { [`${name}-upload`]: runs.upload, [`${name}-dispatch`]: runs.dispatch, [`${name}-conclude`]: runs.conclude };
}

const webhooks: Load = {
  name: 'webhooks',
  once: true,
  async prepare(stage) {
    const databaseUrl = await stage.server.database(DATABASES.webhooks);
    await migrate({ connectionString: databaseUrl, logger: createLogger('error') });
    const service = await startApi(databaseUrl, { WEBHOOK_ALLOW_LOOPBACK: 'true' });
    const home = { name: DATABASES.webhooks, databaseUrl, service };
    const payers = await stage.payers(home, 1, 20);
    const targetsFile = stage.targets('webhooks', debitTargets(payers));
    const { webhookEvents: events } = stage.plan;
    return async () => {
      const { runs, debits } = await runWebhooks({ ...home, payer: payers[0] as Payer, targetsFile, events });
      addTo(tallyOf(stage, home.name), debits);
      await service.stop();
      return runs;
    };
  },
};

/** What a receiver beyond the internet takes for an answer. */
export const RECEIVER_MS = 10;

const unordered: Load = {
  name: 'unordered',
  once: true,
  async prepare(stage) {
    const databaseUrl = await stage.server.database(DATABASES.unordered);
    await migrate({ connectionString: databaseUrl, logger: createLogger('error') });
    const service = await startApi(databaseUrl, { WEBHOOK_ALLOW_LOOPBACK: 'true' });
    const home = { name: DATABASES.unordered, databaseUrl, service };
    const payers = await stage.payers(home, 2, 20);
    const { unorderedEvents: events } = stage.plan;
    return async () => {
      const runs: Record<string, Run> = {};
      for (const [at, payer] of payers.entries()) {
        const ordered = at === 0;
        const targetsFile = stage.targets(`unordered-${at}`, debitTargets([payer]));
        const scene = { ...home, payer, targetsFile, events };
        const { run, debits } = await runSlowReceiver(scene, { ordered, answerMs: RECEIVER_MS });
        addTo(tallyOf(stage, home.name), debits);
        runs[ordered ? 'ordered' : 'unordered'] = run;
      }
      await service.stop();
      return runs;
    };
  },
};

/** Single payouts over HTTP to their end, by everything in one process, as `npm start` runs it. */
const payouts: Load = {
  name: 'payouts',
  async prepare(stage) {
    const home = await stage.home(DATABASES.payouts);
    const payers = await stage.payers(home, 8, 1);
    await fundWallets(home, payers);
    const targetsFile = stage.targets('payouts', payoutTargets(payers));
    const run = (seconds: number) => runPayouts(stage, home, targetsFile, seconds);
    await warmUp(stage, run);
    return async () => ({ payouts: await run(stage.plan.runSeconds) });
  },
};

/** Scheduled payouts of many merchants that are due in the same second. */
const payday: Load = {
  name: 'payday',
  once: true,
  async prepare(stage) {
    const home = await stage.home(DATABASES.payday);
    const payers = await stage.payers(home, stage.plan.merchants, 1);
    return async () => ({ payday: await runPayday(stage, home, payers) });
  },
};

/** As many as pgbench has: what one of its clients waits for, others use. */
export const PEER_CLIENTS = [4, 8, 16];

const pgledger: Load = {
  name: 'pgledger',
  async prepare({ plan, server }) {
    const peer = await preparePgledger(server, plan.peers?.pgledger ?? '');
    return async () => {
      const runs: Record<string, Run> = {};
      for (const clients of PEER_CLIENTS)
        runs[`pgledger-${clients}`] = await peer.run(clients, Math.ceil(plan.runSeconds / 2));
      return runs;
    };
  },
};

/** Ids of credits of one run, so that none comes twice. */
const CREDIT_IDS = 10_000_000;

const credits: Load = {
  name: 'credits',
  async prepare(stage) {
    const home = await stage.home(DATABASES.credits);
    const [payer] = await stage.payers(home, 1, 1);
    await startProvider(home.databaseUrl, payer as Payer);
    let runs = 0;
    const run = (seconds: number) => {
      runs += 1;
      return runCredits(stage, home, runs * CREDIT_IDS, seconds);
    };
    await warmUp(stage, run);
    return async () => ({ credits: await run(stage.plan.runSeconds) });
  },
};

/** Payment sessions of one merchant in the sandbox, by turns with debits of its stores. */
const openSession: Load = {
  name: 'open-session',
  async prepare(stage) {
    const { home, payers, targetsFile } = await oneWalletOf(stage, DATABASES.service);
    const sessions = stage.targets('open-session', sessionTargets(payers));
    const debit = (seconds: number) => runAgainst(stage, home.service, { targetsFile, seconds, debits: home.name });
    const open = (seconds: number) => runAgainst(stage, home.service, { targetsFile: sessions, seconds });
    await warmUp(stage, debit);
    await warmUp(stage, open);
    return async () => ({
      'debits-beside-sessions': await debit(stage.plan.runSeconds),
      'open-session': await open(stage.plan.runSeconds),
    });
  },
};

const creditPoll: Load = {
  name: 'credit-poll',
  once: true,
  async prepare(stage) {
    const { databaseUrl, service, ...home } = await stage.home(DATABASES.creditPoll);
    const [payer] = await stage.payers({ databaseUrl, service, ...home }, 1, 1);
    await service.stop();
    const { polledCredits, missingCredits } = stage.plan;
    const provider = await startProvider(databaseUrl, payer as Payer, polledCredits);
    return async () => {
      const run = await runPoll(databaseUrl, polledCredits, missingCredits);
      await provider.stop();
      return { 'credit-poll': run };
    };
  },
};

const COPIES = 100;
const PROCESSES = 8;

const creditCopies: Load = {
  name: 'credit-copies',
  once: true,
  async prepare(stage) {
    const { databaseUrl, service, ...home } = await stage.home(DATABASES.creditCopies);
    const [payer] = await stage.payers({ databaseUrl, service, ...home }, 1, 1);
    await service.stop();
    const provider = await startProvider(databaseUrl, payer as Payer);
    return async () => {
      const run = await runCopies(databaseUrl, COPIES, PROCESSES);
      await provider.stop();
      return { 'credit-copies': run };
    };
  },
};

/** By the API alone, so that nobody fills the index but the bench. */
const search: Load = {
  name: 'search',
  once: true,
  async prepare(stage) {
    const databaseUrl = await stage.server.database(DATABASES.search);
    await migrate({ connectionString: databaseUrl, logger: createLogger('error') });
    const service = await startApi(databaseUrl, {});
    const home = { name: DATABASES.search, databaseUrl, service };
    const [payer] = (await stage.payers(home, 1, 1)) as [Payer];
    const { searchedPayouts: payouts } = stage.plan;
    progress(`filling in ${payouts.toLocaleString('en-GB')} payouts`);
    await fillPayouts(databaseUrl, payer.merchantId, payouts);
    progress('indexing them');
    const indexed = await indexPayouts(databaseUrl, payer.merchantId, payouts);
    const queries = await queriesOf(databaseUrl, payer.merchantId);
    return async () => {
      const runs: Record<string, Run> = { 'search-index': indexed };
      const read = () => '/wallet/merchant';
      for (const [name, wanted] of Object.entries(queries)) {
        await runSearches(service.baseUrl, payer, wanted.slice(0, 3));
        runs[name] = await runSearches(service.baseUrl, payer, wanted);
      }
      runs['search-wallet'] = await runSearches(service.baseUrl, payer, queries['search-payee'] ?? [], read);
      await service.stop();
      return runs;
    };
  },
};

function addTo(tally: Tally, debits: Tally): void {
  tally.acknowledged += debits.acknowledged;
  tally.cutOff += debits.cutOff;
}

async function oneWalletOf(stage: Stage, database: string) {
  const home = await stage.home(database);
  const payers = await stage.payers(home, 1, stage.plan.stores);
  return { home, payers, targetsFile: stage.targets(`one-wallet-${database}`, debitTargets(payers)) };
}

async function warmUp(stage: Stage, run: (seconds: number) => Promise<unknown>): Promise<void> {
  if (stage.plan.warmUpSeconds > 0) await run(stage.plan.warmUpSeconds);
}

/** The candidate with the best rate; a single one is taken without trying. */
async function best(
  stage: Stage,
  what: string,
  candidates: readonly number[],
  run: (candidate: number) => Promise<Run>,
): Promise<number> {
  const tried: { candidate: number; rate: number }[] = [];
  if (candidates.length > 1 && stage.plan.tuningSeconds > 0) {
    for (const candidate of candidates) tried.push({ candidate, rate: (await run(candidate)).rate });
  }
  const [first] = tried.sort((a, b) => b.rate - a.rate);
  const chosen = first?.candidate ?? candidates[0] ?? 1;
  if (tried.length > 0) {
    progress(
      `${what}: ${chosen} (${tried.map(({ candidate, rate }) => `${candidate}: ${Math.round(rate)}/s`).join(', ')})`,
    );
  }
  return chosen;
}

/** In the order in which a round runs them. Growth fills a table first and has rounds of its own; what is done once is last. */
export const LOADS: readonly Load[] = [
  oneWallet,
  processes,
  rowLock,
  spread,
  pinStorm,
  ledgerLoad('ledger-full', DATABASES.ledger),
  ledgerLoad('ledger-bare', DATABASES.bare),
  read,
  credits,
  openSession,
  payouts,
  pgledger,
  quiet,
  growth,
  refusedBodies,
  batch,
  slowBatch,
  payday,
  webhooks,
  unordered,
  creditPoll,
  creditCopies,
  search,
];
