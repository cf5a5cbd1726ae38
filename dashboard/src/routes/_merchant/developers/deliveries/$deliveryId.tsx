import { createFileRoute } from '@tanstack/react-router';
import { DeliveryPage } from '../../../../webhooks/delivery-page.tsx';

export const Route = createFileRoute('/_merchant/developers/deliveries/$deliveryId')({
  component: () => <DeliveryPage id={Route.useParams().deliveryId} />,
});
