import { Link } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { useAction } from '../api/action.ts';
import { messageOf } from '../api/errors.ts';
import { useSession } from '../api/session.ts';
import type { Data } from '../api/types.ts';
import { AnnouncementCard, type ShownAnnouncement } from '../components/announcement-card.tsx';
import { toast } from '../components/toast.tsx';
import { modeWord } from '../format/modes.ts';
import { formatTime } from '../format/time.ts';

type SupportView = Data<'get', '/support-view'>[number];

interface NoticesProps {
  announcements: readonly ShownAnnouncement[];
  /** Open now. */
  views: readonly SupportView[];
}

/** Above the page of a merchant: who of the operator's staff looks at it, and what the operator announces. */
export function Notices({ announcements, views }: NoticesProps) {
  const { supportView } = useSession();
  const dismiss = useAction('post', '/announcement/{announcementId}/dismiss', { changes: ['/announcement'] });

  async function close(announcementId: string): Promise<void> {
    try {
      await dismiss.run({ path: { announcementId } });
      // It goes, and the cross that was pressed goes with it.
      document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    } catch (error) {
      toast({ tone: 'bad', text: messageOf(error) });
    }
  }

  return (
    <section aria-label="From the operator" className="no-print mb-6 flex flex-col gap-3">
      {supportView === null && oneEach(views).map((view) => <Looking key={view.supportViewId} view={view} />)}
      {announcements.map((announcement) => (
        <AnnouncementCard
          key={announcement.announcementId}
          announcement={announcement}
          {...(supportView === null ? { onDismiss: () => void close(announcement.announcementId) } : {})}
        />
      ))}
    </section>
  );
}

/** Views of one person in one mode, in several browsers, are one: the newest. All of them are in the list. */
function oneEach(views: readonly SupportView[]): SupportView[] {
  return [...new Map(views.toReversed().map((view) => [`${view.mode} ${view.by}`, view])).values()];
}

function Looking({ view: { by, mode, reason, expiresAt } }: { view: SupportView }) {
  return (
    <div className="flex items-start gap-3 rounded-control bg-info-soft px-3.5 py-3 text-sm text-info">
      <Eye className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">
          {by} of the operator’s staff is looking at your {modeWord(mode)} pages, read-only, until{' '}
          {formatTime(expiresAt)} Lagos time at the latest
        </p>
        <p className="mt-0.5 wrap-anywhere text-ink">
          Reason: {reason}{' '}
          <Link to="/settings/support" className="font-medium text-accent underline">
            Who looked, and when
          </Link>
        </p>
      </div>
    </div>
  );
}
