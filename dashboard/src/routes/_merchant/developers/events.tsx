import { createFileRoute } from '@tanstack/react-router';
import { EventsPage, type EventsSearch } from '../../../developers/events-page.tsx';

export const Route = createFileRoute('/_merchant/developers/events')({
  validateSearch: keptSearch,
  component: () => <EventsPage search={Route.useSearch()} />,
});

function keptSearch(raw: Record<string, unknown>): EventsSearch {
  const sequence = (name: string) => {
    const value = Number(raw[name]);
    return Number.isSafeInteger(value) && value > 0 ? { [name]: value } : {};
  };
  return {
    ...(typeof raw['type'] === 'string' && raw['type'] !== '' ? { type: raw['type'] } : {}),
    ...sequence('before'),
    ...sequence('event'),
  };
}
