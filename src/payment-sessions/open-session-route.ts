import type { FastifyReply, FastifyRequest } from 'fastify';
import { baseUrlOf } from '../access/index.ts';
import type { CommitResult } from '../ledger/index.ts';
import { type Answer, success } from '../platform/answer.ts';
import { sendAnswer } from '../platform/http/server.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { SessionDeps } from './deps.ts';
import { OPENED_MESSAGE } from './keep-session.ts';
import { type OpenSession, openFor } from './open-session.ts';
import { checkoutPathWith, clientSecretOf, publicViewOf } from './read-sessions.ts';
import { sessionView } from './views.ts';

const DATA = '"data":{';
const NO_PAYMENT = ',"payment":null}}';
const SESSION_ID = /"sessionId":"([0-9a-f-]{36})"/;

/** `publicUrl` as `baseUrlOf` has it. */
export type OpenAnswerDeps = SessionDeps & { publicUrl: string | undefined };

/**
 * Opens a session and sends it with its client secret and the page for its payer, whose address has the secret. Under an
 * idempotency key the answer is kept without both: a repetition gets them again, and the books never hold the secret.
 */
export async function answerOpening(
  deps: OpenAnswerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: Omit<OpenSession, 'idempotencyKey'>,
): Promise<FastifyReply> {
  const { tenant } = asked;
  const keyed = request.idempotency?.key === null ? undefined : request.idempotency;
  const earlier = keyed && (await deps.ledger.findAnswer(tenant, keyed));
  if (earlier !== undefined) return sendKept(deps, reply, tenant, earlier);
  const opened = await openFor(deps, { ...asked, idempotencyKey: keyed?.key ?? null }, keyed);
  if ('answer' in opened) return sendKept(deps, reply, tenant, opened);
  const isPublic = asked.openedBy === 'PUBLIC_KEY';
  const view = isPublic ? await publicViewOf(deps, opened) : sessionView(opened.row, opened.accounts);
  const answer = success(OPENED_MESSAGE, view);
  if (keyed === undefined) return send(deps, reply, tenant, answer);
  return sendKept(deps, reply, tenant, await deps.ledger.remember(tenant, keyed, answer));
}

function sendKept(deps: OpenAnswerDeps, reply: FastifyReply, tenant: Tenant, kept: CommitResult): FastifyReply {
  if (kept.replayed) reply.header('idempotency-replayed', 'true');
  return send(deps, reply, tenant, kept.answer);
}

function send(deps: OpenAnswerDeps, reply: FastifyReply, tenant: Tenant, { status, body }: Answer): FastifyReply {
  const [, sessionId] = SESSION_ID.exec(body) ?? [];
  if (sessionId === undefined) return sendAnswer(reply, { status, body });
  const clientSecret = clientSecretOf(deps.secrets, { tenant, sessionId });
  const checkoutUrl = `${baseUrlOf(reply.request, deps.publicUrl)}${checkoutPathWith(sessionId, clientSecret)}`;
  const given = `"clientSecret":${JSON.stringify(clientSecret)},"checkoutUrl":${JSON.stringify(checkoutUrl)}`;
  // What is kept as the event of the session has the payment that the event is about as well, and it is about none.
  const shown = body.endsWith(NO_PAYMENT) ? `${body.slice(0, -NO_PAYMENT.length)}}}` : body;
  return sendAnswer(reply, { status, body: shown.replace(DATA, () => `${DATA}${given},`) });
}
