import { Inbox, type LucideIcon, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError, messageOf } from '../api/errors.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { cn } from './class-names.ts';

export interface EmptyStateProps {
  icon?: LucideIcon;
  title: string;
  /** What would be here, and how it gets here: an empty page teaches. */
  children: ReactNode;
  action?: ReactNode;
}

export function EmptyState({ icon: Icon = Inbox, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center px-6 py-12 text-center">
      <span className="mb-4 grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon className="size-6" aria-hidden />
      </span>
      <p className="text-base font-semibold">{title}</p>
      <div className="mt-1 max-w-md text-muted">{children}</div>
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** A part of a page that could not be read, with another attempt. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const id = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert
      tone="bad"
      title={messageOf(error)}
      action={
        onRetry !== undefined && (
          <Button size="small" icon={RotateCw} onClick={() => void onRetry()}>
            Retry
          </Button>
        )
      }
    >
      {id !== undefined && <span className="text-xs">Request {id}</span>}
    </Alert>
  );
}

/** The shape of what comes, so that nothing jumps when it is there. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn('shimmer block h-4 rounded-md', className)} />;
}

/** A page that is being read. */
export function PageSkeleton() {
  return (
    <div className="flex flex-col gap-6" role="status" aria-label="Loading">
      <Skeleton className="h-8 w-56" />
      <Skeleton className="h-28 w-full rounded-card" />
      <Skeleton className="h-72 w-full rounded-card" />
    </div>
  );
}

export interface ProgressProps {
  label: string;
  done: number;
  total: number;
  /** Words for the state: "412 of 1,000 paid". */
  text?: ReactNode;
}

export function Progress({ label, done, total, text }: ProgressProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap justify-between gap-x-4 text-sm">
        <span className="font-medium">{label}</span>
        {text !== undefined && <span className="figures whitespace-normal text-muted">{text}</span>}
      </div>
      <progress
        aria-label={label}
        max={Math.max(total, 1)}
        value={done}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-all"
      />
    </div>
  );
}
