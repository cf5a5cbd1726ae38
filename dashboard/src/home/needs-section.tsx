import { NeedsList } from '../components/needs-list.tsx';
import { useNeeds } from './needs.ts';

/** What waits for whoever is signed in at a merchant. */
export function NeedsSection() {
  const { needs, isLoading, error, retry } = useNeeds();
  return <NeedsList needs={needs} isLoading={isLoading} error={error} onRetry={retry} />;
}
