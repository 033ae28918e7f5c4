import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { saveKeys } from '../features/developer/save-keys.ts'
import { addEndpoint, changeEndpoint } from '../features/webhooks/endpoint-verbs.ts'
import type { Services } from '../platform/services.ts'
import { asAdmin } from './actor.ts'

/** An API key that reads, whose secret nobody was told, and an endpoint of webhooks that waits: nobody listens at its address. */
export async function ensureDevelopers(services: Services, companyId: number): Promise<void> {
  await asAdmin(services, companyId, async (ctx) => {
    await saveKeys(ctx, [{ name: 'Warehouse system', permissions: defaultMatrix.staff, expiresInDays: 365 }])
    const { row } = await addEndpoint(ctx, {
      url: 'https://hooks.example.com/isotherm',
      description: 'Warehouse system',
      events: ['alarm.opened', 'alarm.resolved', 'excursion.started', 'excursion.ended', 'record.ended'],
      seesPrivate: false,
    })
    await changeEndpoint(ctx, row.id, { state: 'off' })
  })
}
