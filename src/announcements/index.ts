export { mailAnnouncements } from './mail-announcements.ts';
export { ANNOUNCEMENTS_TO_MAIL, type AnnouncementRow } from './queries.ts';
export { readAnnouncements, readAudiences } from './read-announcements.ts';
export { announcementRoutes } from './routes.ts';
export { AnnouncementBody, AnnouncementParams, AnnouncementSchema } from './schemas.ts';
export { announcementView } from './views.ts';
export {
  changeAnnouncement,
  createAnnouncement,
  endAnnouncement,
  publishAnnouncement,
} from './write-announcement.ts';
