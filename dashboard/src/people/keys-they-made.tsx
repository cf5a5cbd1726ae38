import { useRead } from '../api/reads.ts';
import { useMay, useMode } from '../api/session.ts';
import { Checkbox } from '../components/inputs.tsx';
import { Badge } from '../components/status.tsx';

interface KeysTheyMadeProps {
  personId: string;
  /** What becomes of them unless they are kept. */
  fate: string;
  keep: boolean;
  onKeep: (keep: boolean) => void;
}

/** The keys in force that somebody made, and whether they are to go on without them; nothing where there are none. */
export function KeysTheyMade({ personId, fate, keep, onKeep }: KeysTheyMadeProps) {
  const mayManage = useMay()('member:manage', useMode());
  const { data: keys = [] } = useRead('/member/{personId}/key', { path: { personId } }, { enabled: mayManage });
  if (keys.length === 0) return null;
  return (
    <div className="flex flex-col gap-2">
      <p>
        {keys.length === 1 ? 'They made a key that is in force.' : `They made ${keys.length} keys that are in force.`}{' '}
        {fate}
      </p>
      <ul aria-label="Keys that they made" className="flex max-h-40 flex-col gap-1 overflow-y-auto">
        {keys.map(({ keyId, name, prefix, lastFour, mode }) => (
          <li key={keyId} className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{name === '' ? 'Without a name' : name}</span>
            <span className="font-mono text-xs text-muted">
              {prefix}…{lastFour}
            </span>
            <Badge tone={mode === 'LIVE' ? 'good' : 'quiet'} plain>
              {mode === 'LIVE' ? 'Live' : 'Sandbox'}
            </Badge>
          </li>
        ))}
      </ul>
      <Checkbox
        label="Keep these keys in force"
        hint="Programs go on with them. Whoever has a copy can, too: rotate them soon. The audit log says that you kept them."
        checked={keep}
        onChange={(event) => onKeep(event.target.checked)}
      />
    </div>
  );
}
