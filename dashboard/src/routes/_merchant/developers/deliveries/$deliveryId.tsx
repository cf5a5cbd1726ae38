import { createFileRoute } from '@tanstack/react-router';
import { DeliveryPage } from '../../../../webhooks/delivery-page.tsx';

export const Route = createFileRoute('/_merchant/developers/deliveries/$deliveryId')({
  component: Delivery,
});

function Delivery() {
  const { deliveryId } = Route.useParams();
  return <DeliveryPage key={deliveryId} id={deliveryId} />;
}
