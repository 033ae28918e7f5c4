import type { LiveDevice } from '@isotherm/contract/live.ts'
import { z } from 'zod'
import { requestCommand } from '../../core/devices/commands.ts'
import { dueFlights, lockFlyingDevice, startDue } from '../../core/devices/flight-queries.ts'
import { writeAudit } from '../../platform/audit/audit.ts'
import { asPipeline, inTenant } from '../../platform/db/transaction.ts'
import { eachApart } from '../../platform/jobs/each-apart.ts'
import type { Job, Services } from '../../platform/services.ts'

type Due = Awaited<ReturnType<typeof dueFlights>>[number]

/** Every minute: flight mode on for the devices whose flight departs. A flight missed while the server was down starts late. */
export const startFlights: Job<Record<string, never>> = {
  name: 'start-flights',
  payload: z.strictObject({}),
  retryLimit: 3,
  cron: '* * * * *',
  async run(services) {
    const due = await asPipeline(services.pool, ({ tx }) => dueFlights(tx, services.clock.now()))
    const failed = ({ company_id: companyId, id }: Due, err: unknown) =>
      services.log.error({ err, companyId, flight: id }, 'flight mode could not be begun')
    await eachApart(due, { failed }, (flight) => start(services, flight))
  },
}

async function start(services: Services, { company_id: companyId, id, device_id: deviceId }: Due): Promise<void> {
  const now = services.clock.now()
  const device = await inTenant(services.pool, companyId, async ({ tx }) => {
    const locked = await lockFlyingDevice(tx, companyId, deviceId)
    const begun = await startDue(tx, companyId, id, now)
    if (!begun) return null
    const wanted = { kind: 'flight_mode', value: { state: 'on' } } as const
    await requestCommand(tx, { companyId, deviceId, userId: null, now }, wanted, { state: locked.flight_mode })
    const about = { actor: { kind: 'system' as const, name: 'flight schedule' }, at: now }
    const target = { kind: 'device', id: String(deviceId), name: locked.name }
    const flight = [begun.carrier_code, begun.flight_number].filter(Boolean).join(' ') || null
    const after = { wished: 'on', flight }
    await writeAudit(tx, companyId, { ...about, origin: nowhere }, [{ action: 'devices.flightMode', target, after }])
    return locked
  })
  if (!device) return
  const data: LiveDevice = { deviceId: String(deviceId), change: 'settings' }
  services.bus.publish({ companyId, kind: 'device', deviceId, private: device.visibility === 'private', data })
}

const nowhere = { address: '', agent: '', requestId: '' }
