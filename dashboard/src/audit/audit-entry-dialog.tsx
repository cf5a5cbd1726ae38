import { DescriptionList } from '../components/description-list.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Copyable, Moment } from '../components/values.tsx';
import { Actor, type AuditEntry, modeWord, Outcome } from './audit-columns.tsx';

/** All that is written down of one action. */
export function AuditEntryDialog({ entry, onClose }: { entry: AuditEntry | undefined; onClose: () => void }) {
  if (entry === undefined) return null;
  const subject = Object.entries(entry.subject).filter(([, value]) => value !== null && value !== '');
  return (
    <Dialog open kind="side" onClose={onClose} title={entry.summary}>
      <div className="flex flex-col gap-6">
        <DescriptionList
          layout="rows"
          items={[
            { label: 'Outcome', value: <Outcome entry={entry} /> },
            ...(entry.code === null ? [] : [{ label: 'Refused because', value: entry.code }]),
            { label: 'Who', value: <Actor actor={entry.actor} /> },
            { label: 'When', value: <Moment at={entry.at} show="exact" utc /> },
            { label: 'Mode', value: modeWord(entry.mode) },
            { label: 'From', value: entry.ip ?? '–' },
            { label: 'Operation', value: <span className="font-mono text-xs">{entry.action}</span> },
            ...(entry.requestId === null
              ? []
              : [{ label: 'Request', value: <Copyable text={entry.requestId} what="request id" /> }]),
          ]}
        />
        {subject.length > 0 && (
          <div>
            <h3 className="mb-1 font-semibold">What it was about</h3>
            <DescriptionList
              layout="rows"
              items={subject.map(([label, value]) => ({
                label,
                value: <span className="font-mono text-xs">{String(value)}</span>,
              }))}
            />
          </div>
        )}
        {entry.userAgent !== null && <p className="text-xs break-words text-muted">{entry.userAgent}</p>}
      </div>
    </Dialog>
  );
}
