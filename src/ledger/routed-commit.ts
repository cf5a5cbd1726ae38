import { AppError } from '../platform/errors.ts';
import { createOpenWork } from '../platform/owner-queue.ts';
import { type Peer, PeerLostError, type Peers } from '../platform/processes/peers.ts';
import { type Tenant, tenantKey } from '../platform/tenant.ts';
import { answerOf } from './decide.ts';
import type { GroupCommit } from './group-commit.ts';
import type { CommitResult, Movement } from './movement.ts';
import { isPortable, readMovement, writeMovement } from './movement-text.ts';

/**
 * A movement goes to another process only while so many of its merchant's are under way in this one or in that. Fewer
 * cost less in a group of their own than on the way to another process. Where there are more, a small group here would
 * make large groups there wait.
 */
const BUSY_MOVEMENTS = 8;

export interface RoutedCommit extends GroupCommit {
  /** The process to which movements of this tenant are sent now; undefined where they are committed here. */
  committerOf(tenant: Tenant): Peer | undefined;
}

/**
 * Where several processes serve one merchant at a time, the movements of that merchant go to one of them, so that they
 * share groups and do not wait for each other's locks. This only saves time: the locks and the idempotency keys are in
 * the database, so a movement has one effect whichever process commits it, and also if two do. A movement whose
 * committer went away is therefore committed here: its key says what became of it.
 */
export function createRoutedCommit(local: GroupCommit, peers: Peers): RoutedCommit {
  const underWay = createOpenWork();
  peers.answer({ answer: answerMovements(local), busyWith: () => underWay.withAtLeast(BUSY_MOVEMENTS) });

  function committerOf(tenant: Tenant): Peer | undefined {
    const owner = peers.ownerOf(hashOf(tenant));
    if (owner === undefined) return undefined;
    const key = tenantKey(tenant);
    return underWay.of(key) >= BUSY_MOVEMENTS || owner.isBusyWith(key) ? owner : undefined;
  }

  async function commit(movement: Movement): Promise<CommitResult> {
    const owner = isPortable(movement) ? committerOf(movement.tenant) : undefined;
    const end = underWay.begin(tenantKey(movement.tenant));
    try {
      return await (owner === undefined ? local.commit(movement) : commitAt(owner, movement));
    } finally {
      end();
    }
  }

  async function commitAt(owner: Peer, movement: Movement): Promise<CommitResult> {
    try {
      return outcomeOf(JSON.parse(await owner.ask(writeMovement(movement))) as Outcome, movement);
    } catch (error) {
      if (error instanceof PeerLostError) return local.commit(movement);
      throw error;
    }
  }

  return { commit, committerOf, drain: () => local.drain() };
}

/** Commits movements that other processes send to this one. */
function answerMovements(local: GroupCommit): (text: string) => Promise<string> {
  return async (text) => JSON.stringify(await local.commit(readMovement(text)).then(appliedOf, refusedOf));
}

/** A merchant's live and sandbox movements may belong to two processes. */
function hashOf({ merchantId, mode }: Tenant): number {
  return Number.parseInt(merchantId.slice(-6), 16) + (mode === 'LIVE' ? 1 : 0);
}

/** 1: the movement was applied, and the answer is the one in the movement. */
type Outcome = 1 | { result: CommitResult } | { refusal: RefusalText } | { defect: string };

type RefusalText = Pick<
  AppError,
  'kind' | 'code' | 'message' | 'errors' | 'problems' | 'retryAfterSeconds' | 'kept'
> & {
  retryable: boolean;
};

function appliedOf(result: CommitResult): Outcome {
  return result.replayed ? { result } : 1;
}

function refusedOf(error: unknown): Outcome {
  if (!(error instanceof AppError)) return { defect: error instanceof Error ? error.message : String(error) };
  const { kind, code, message, errors, problems, retryAfterSeconds, retryable, kept } = error;
  return { refusal: { kind, code, message, errors, problems, retryAfterSeconds, retryable, kept } };
}

/** @throws AppError the refusal */
function outcomeOf(outcome: Outcome, movement: Movement): CommitResult {
  if (outcome === 1) return { answer: answerOf(movement, 0n).answer, replayed: false };
  if ('result' in outcome) return outcome.result;
  if ('defect' in outcome) throw new Error(`the process that commits for this merchant failed: ${outcome.defect}`);
  const { kind, code, message, errors, problems, retryAfterSeconds, retryable, kept } = outcome.refusal;
  const refusal = new AppError(kind, code, message, {
    ...(errors && { errors }),
    ...(problems && { problems }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(retryable && { retryable: true as const }),
  });
  refusal.kept = kept;
  throw refusal;
}
