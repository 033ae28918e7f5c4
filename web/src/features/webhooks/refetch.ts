import { webhooks } from '@isotherm/contract/webhooks.ts'
import { refetchCalls } from '../../lib/query.ts'

/** After a change of endpoints, or of what is sent to them. */
export const refetchWebhooks = () =>
  refetchCalls(webhooks.endpoints, webhooks.deliveries, webhooks.deliveriesOf, webhooks.delivery)
