import type { Mode } from '../../src/platform/tenant.ts';
import type { DisputeProvider, DisputeState, ReportedDispute, RespondAnswer } from '../../src/rails/disputes.ts';

/** The disputes of a provider in this process, which does as a test says. */
export interface ScriptedDisputes {
  provider: DisputeProvider;
  all: Map<string, ReportedDispute>;
  /** What it was sent, in order. */
  answers: { id: string; action: 'ACCEPT' | 'CONTEST'; message: string | null; files: number }[];
  /** What an answer gets instead, once. */
  nextAnswers: (() => Promise<RespondAnswer>)[];
  /** What a question gets instead of the truth, once. */
  nextQueries: (() => Promise<Awaited<ReturnType<DisputeProvider['queryDispute']>>>)[];
  queries: number;
  open(dispute: Partial<ReportedDispute> & { providerTransactionId: string; amountMinor: bigint }): ReportedDispute;
  end(id: string, state: DisputeState, bySilence?: boolean): void;
  /** It says what is not listed, until it is told another state. */
  mumble(id: string, said: string): void;
}

const HOUR_MS = 60 * 60_000;

export function scriptedDisputes({ clock }: { clock: { now(): Date } }, mode: Mode): ScriptedDisputes {
  const said = { code: '00', reason: null, message: 'Done' };
  const mumbled = new Map<string, string>();
  const of = (id: string): ReportedDispute => {
    const found = script.all.get(id);
    if (found === undefined) throw new Error(`no dispute ${id}`);
    return found;
  };
  const respond = async (
    id: string,
    state: DisputeState,
    answer: Omit<ScriptedDisputes['answers'][number], 'id'>,
  ): Promise<RespondAnswer> => {
    const scripted = script.nextAnswers.shift();
    if (scripted !== undefined) return scripted();
    script.answers.push({ id, ...answer });
    script.all.set(id, { ...of(id), state });
    return { ...said, outcome: 'taken', at: clock.now() };
  };
  const script: ScriptedDisputes = {
    all: new Map(),
    answers: [],
    nextAnswers: [],
    nextQueries: [],
    queries: 0,
    open(given) {
      const dispute: ReportedDispute = {
        providerDisputeId: `d${script.all.size + 1}-${mode}`,
        state: 'open',
        bySilence: false,
        currency: 'NGN',
        category: 'CHARGEBACK',
        message: 'I did not get it',
        dueAt: new Date(clock.now().getTime() + 16 * HOUR_MS),
        openedAt: clock.now(),
        mode,
        ...given,
      };
      script.all.set(dispute.providerDisputeId, dispute);
      return dispute;
    },
    mumble(id, said) {
      mumbled.set(id, said);
    },
    end(id, state, bySilence = false) {
      mumbled.delete(id);
      script.all.set(id, { ...of(id), state, bySilence });
    },
    provider: {
      capabilities: { evidenceFiles: 3, needs: ['CUSTOMER'] },
      async queryDispute({ providerDisputeId }) {
        script.queries += 1;
        const scripted = script.nextQueries.shift();
        if (scripted !== undefined) return scripted();
        const dispute = script.all.get(providerDisputeId);
        const at = clock.now();
        const words = mumbled.get(providerDisputeId);
        if (dispute !== undefined && words !== undefined) {
          return { ...said, outcome: 'unknown', unlisted: { ...dispute, state: 'unlisted', said: words }, at };
        }
        return dispute === undefined
          ? { ...said, reason: 'RAIL_RECORD_NOT_FOUND', outcome: 'not_found', at }
          : { ...said, outcome: 'found', dispute, at };
      },
      async listDisputes() {
        return {
          disputes: [...script.all.keys()].map((providerDisputeId) => ({ providerDisputeId })),
          unreadable: [],
          next: null,
        };
      },
      acceptDispute: ({ providerDisputeId }) =>
        respond(providerDisputeId, 'accepted', { action: 'ACCEPT', message: null, files: 0 }),
      contestDispute: ({ providerDisputeId, evidence }) =>
        respond(providerDisputeId, 'evidence_sent', {
          action: 'CONTEST',
          message: evidence.message,
          files: evidence.files.length,
        }),
      async readDisputeWebhook() {
        return [];
      },
    },
  };
  return script;
}
