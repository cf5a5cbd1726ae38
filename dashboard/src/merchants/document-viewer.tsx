import { ChevronLeft, ChevronRight, Minus, Plus, RotateCcw } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { messageOf } from '../api/errors.ts';
import { fetchFile, isGiven } from '../api/files.ts';
import { useMode } from '../api/session.ts';
import { Alert } from '../components/alert.tsx';
import { IconButton } from '../components/button.tsx';
import { DescriptionList } from '../components/description-list.tsx';
import { DownloadButton } from '../components/download-button.tsx';
import { Skeleton } from '../components/states.tsx';
import { Badge } from '../components/status.tsx';
import { Moment } from '../components/values.tsx';
import { formatBytes } from '../format/text.ts';
import type { Step } from '../onboarding/step-fields.ts';
import { FactValue } from './fact-rows.tsx';
import { provedBy, type ReviewItem, titleOfKind } from './facts.ts';
import type { MerchantDocument } from './merchant.tsx';

interface DocumentViewerProps {
  merchantId: string;
  documents: readonly MerchantDocument[];
  /** What the papers have to prove, shown beside each. */
  steps: readonly Step[];
  /** The merchant is taken in: what came since then is marked. */
  isAccepted: boolean;
}

/** The papers of a merchant, open in the page, each beside what it has to prove. Arrow keys go on and back, + and - zoom. */
export function DocumentViewer({ merchantId, documents, steps, isAccepted }: DocumentViewerProps) {
  const [at, setAt] = useState(0);
  const [zoom, setZoom] = useState(1);
  const document = documents[Math.min(at, documents.length - 1)];
  if (document === undefined) return <p className="card p-5 text-muted">No document was uploaded yet.</p>;
  const { documentId, kind, fileName, bytes, uploadedAt, contentType, removable } = document;
  const address = `/operator/merchant/${merchantId}/document/${documentId}`;
  const index = documents.indexOf(document);
  const canZoom = contentType.startsWith('image/');

  function go(steps: number): void {
    setAt((index + steps + documents.length) % documents.length);
    setZoom(1);
  }
  function zoomBy(factor: number): void {
    if (canZoom) setZoom((now) => Math.min(MOST, Math.max(LEAST, now * factor)));
  }
  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const action = actionOf(event.key, { go, zoomBy, reset: () => setZoom(1) });
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  return (
    <section aria-label="Documents" className="card flex min-w-0 flex-col" onKeyDown={press}>
      <header className="flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2.5">
        <div className="min-w-0">
          <h2 className="flex flex-wrap items-center gap-2 font-semibold" aria-live="polite">
            {titleOfKind(kind, fileName)}
            {isAccepted && removable && <Badge tone="warn">New</Badge>}
          </h2>
          <p className="text-xs break-all text-muted">
            {fileName}, {formatBytes(bytes)}, <Moment at={uploadedAt} />
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-1">
          {canZoom && <Zoom zoom={zoom} onZoom={zoomBy} onReset={() => setZoom(1)} />}
          {documents.length > 1 && (
            <>
              <IconButton icon={ChevronLeft} label="Previous document" onClick={() => go(-1)} />
              <span className="figures text-xs text-muted">
                {index + 1} of {documents.length}
              </span>
              <IconButton icon={ChevronRight} label="Next document" onClick={() => go(1)} />
            </>
          )}
          <DownloadButton size="small" address={`${address}/content`} fileName={fileName}>
            Save
          </DownloadButton>
        </div>
      </header>
      <div className="border-b px-4 py-2">
        <h3 className="mb-1.5 text-xs font-semibold text-muted">It has to prove</h3>
        <Proved items={provedBy(kind, steps)} />
      </div>
      {canZoom ? (
        <Picture key={documentId} address={`${address}/content`} name={fileName} zoom={zoom} />
      ) : (
        <Pages key={documentId} address={`${address}/view`} name={fileName} />
      )}
    </section>
  );
}

function Proved({ items }: { items: readonly ReviewItem[] }) {
  if (items.length === 0) return <p className="pb-1 text-sm">What was asked for. Compare it with the details.</p>;
  return (
    <div className="pb-1">
      <DescriptionList items={items.map((item) => ({ label: item.label, value: <FactValue item={item} /> }))} />
    </div>
  );
}

const LEAST = 0.5;
const MOST = 6;
const STEP = 1.25;

interface Actions {
  go: (steps: number) => void;
  zoomBy: (factor: number) => void;
  reset: () => void;
}

function actionOf(key: string, { go, zoomBy, reset }: Actions): (() => void) | undefined {
  switch (key) {
    case 'ArrowRight':
      return () => go(1);
    case 'ArrowLeft':
      return () => go(-1);
    case '+':
    case '=':
      return () => zoomBy(STEP);
    case '-':
      return () => zoomBy(1 / STEP);
    case '0':
      return reset;
    default:
      return undefined;
  }
}

interface ZoomProps {
  zoom: number;
  onZoom: (factor: number) => void;
  onReset: () => void;
}

function Zoom({ zoom, onZoom, onReset }: ZoomProps) {
  return (
    <>
      <IconButton icon={Minus} label="Smaller" disabled={zoom <= LEAST} onClick={() => onZoom(1 / STEP)} />
      <span className="figures w-10 text-center text-xs text-muted">{Math.round(zoom * 100)} %</span>
      <IconButton icon={Plus} label="Larger" disabled={zoom >= MOST} onClick={() => onZoom(STEP)} />
      <IconButton icon={RotateCcw} label="As wide as the page" disabled={zoom === 1} onClick={onReset} />
    </>
  );
}

const FRAME = 'h-[min(62dvh,56rem)] min-h-80 w-full';

/** As an image element draws it: nothing in the file can do more than be drawn. */
function Picture({ address, name, zoom }: { address: string; name: string; zoom: number }) {
  const mode = useMode();
  const [source, setSource] = useState<string>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let url: string | undefined;
    let isGone = false;
    fetchFile(address, mode)
      .then((blob) => {
        if (isGone) return;
        url = URL.createObjectURL(blob);
        setSource(url);
      })
      .catch((error: unknown) => setProblem(messageOf(error)));
    return () => {
      isGone = true;
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [address, mode]);
  if (problem !== undefined) return <Alert tone="bad">{problem}</Alert>;
  if (source === undefined) return <Skeleton className={FRAME} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is larger than its frame is moved by keys.
    <section className={`${FRAME} overflow-auto bg-sunken`} tabIndex={0} aria-label={`Picture of ${name}`}>
      <img src={source} alt={name} width={`${zoom * 100}%`} className="mx-auto max-w-none" />
    </section>
  );
}

/** In the browser's own viewer, as the service lets it be framed: a PDF that holds more than pages is not given. */
function Pages({ address, name }: { address: string; name: string }) {
  const mode = useMode();
  const [given, setGiven] = useState<boolean>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isGone = false;
    isGiven(address, mode)
      .then((yes) => !isGone && setGiven(yes))
      .catch((error: unknown) => !isGone && setProblem(messageOf(error)));
    return () => {
      isGone = true;
    };
  }, [address, mode]);
  if (problem !== undefined) return <Alert tone="bad">{problem}</Alert>;
  if (given === undefined) return <Skeleton className={FRAME} />;
  if (!given) {
    return (
      <Alert tone="warn" title="This PDF is not shown here" className="m-4">
        It holds more than pages, such as a script or a file, or cannot be read. Save it and open it with care.
      </Alert>
    );
  }
  // As wide as the frame, without a list of its pages, where the viewer knows these words.
  return (
    <iframe
      src={`${address}#navpanes=0&view=FitH`}
      title={name}
      referrerPolicy="no-referrer"
      className={`${FRAME} bg-sunken`}
    />
  );
}
