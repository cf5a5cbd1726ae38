import type { Secrets } from '../platform/secrets.ts';

interface MailBody {
  text: string;
  link: string | null;
}

/** A body holds links that sign people in, so it opens on its own row only. */
export function sealBody(secrets: Secrets, mailId: string, body: MailBody): string {
  return secrets.seal(JSON.stringify(body), contextOf(mailId));
}

export function openBody(secrets: Secrets, mailId: string, sealed: string): MailBody {
  return JSON.parse(secrets.open(sealed, contextOf(mailId))) as MailBody;
}

function contextOf(mailId: string): string {
  return `mails/${mailId}/body`;
}

/** A mail as it goes out. */
interface OutgoingMail {
  id: string;
  to: string;
  subject: string;
  text: string;
}

export interface MailServer {
  /** @throws MailRefusedError where the server will never take it; any other error where it may later. */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

/** The server said no to this mail for good, such as for an address that it does not know. */
export class MailRefusedError extends Error {}

/**
 * A server that does not answer holds up no worker longer than this. One that looks through a mail before it answers takes
 * its time: who does not wait sends it again, and the person has it twice. Ten answers make a mail, the greeting among them.
 */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 30_000, socketTimeout: 60_000 } as const;
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The operator's mail server, over TLS with a checked certificate; only one on this very machine may go without.
 * @param settings.url `smtp://user:password@host:587` (STARTTLS) or `smtps://user:password@host:465`.
 * @param settings.from as in `Manilla <no-reply@manilla.example>`.
 */
export function connectMailServer(settings: { url: string; from: string }): MailServer {
  const { protocol, hostname, port, username, password } = new URL(settings.url);
  const secure = protocol === 'smtps:';
  /** Loaded with the first mail. */
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (secure ? 465 : 587) : Number(port),
      secure,
      requireTLS: !secure && !LOOPBACK.test(hostname),
      ignoreTLS: !secure && LOOPBACK.test(hostname),
      ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      ...TIMEOUTS,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport: Awaited<ReturnType<typeof open>> | undefined;
  const domain = /@([^\s>]+)/.exec(settings.from)?.[1] ?? 'manilla';
  return {
    async send({ id, to, subject, text }) {
      try {
        // The same mail has the same id at every attempt, so that a receiver knows it again.
        const messageId = `<${id}@${domain}>`;
        transport ??= await open();
        await transport.sendMail({
          from: settings.from,
          to: { name: '', address: to },
          subject,
          text,
          messageId,
        });
      } catch (error) {
        const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
        if (code === 'EENVELOPE' && responseCode >= 500)
          throw new MailRefusedError(`${responseCode}`, { cause: error });
        throw error;
      }
    },
    close: () => transport?.close(),
  };
}
