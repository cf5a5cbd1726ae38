export { connectMailServer, type MailServer } from './mail-server.ts';
export { type MailSealer, type NewMail, queueMail } from './queue-mail.ts';
export { readMail, readOutbox, type StoredMail } from './read-outbox.ts';
export { ownersNoticeWrites, type SecurityNotice, tellOperators, tellOwners } from './security-notices.ts';
export { type MailDeps, sendDueMails, wipeOldMails } from './send-due-mails.ts';
