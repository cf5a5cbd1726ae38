export { connectMailServer, type MailServer } from './mail-server.ts';
export {
  countFreeInOutbox,
  type MailSealer,
  mailWrite,
  type NewMail,
  queueMail,
  queueMails,
  readMail,
  readOutbox,
  type StoredMail,
} from './queue-mail.ts';
export { notifyOperators, notifyOwners, ownersNoticeWrites, type SecurityNotice } from './security-notices.ts';
export { forgetMails, sendDueMails, wipeOldMails } from './send-due-mails.ts';
