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
