import type { NewRecipient } from '@isotherm/contract/alarm-recipients.ts'
import type { Role } from '@isotherm/contract/permissions.ts'
import { deliver, type OutboundMessage, type Sent } from '../src/pipeline/notify/deliver.ts'
import { dispatch } from '../src/pipeline/notify/dispatch.ts'
import { applyDueSteps } from '../src/pipeline/notify/lifecycle.ts'
import { createLog } from '../src/platform/log/log.ts'
import { anAlarm } from './alarm-factory.ts'
import { buildUser } from './factories.ts'
import type { TestDevice, TestPipeline } from './pipeline-harness.ts'

export const start = '2026-11-20T12:00:00Z'
const taken = async (): Promise<Sent> => ({ ok: true, provider: 'test', providerId: null })

interface Person {
  channels: string[]
  role?: string
  quiet?: [string, string]
  phone?: string | null
  tier?: number
}

interface Story {
  devices?: number
  severity?: 'warning' | 'critical'
  /** More settings of the alarm, as SQL. */
  more?: string
}

/** Steps that tests of messages share. `given` is called when a step runs. */
export function notifyStage(given: () => TestPipeline) {
  const sent: OutboundMessage[] = []
  /** The provider's answer. */
  const provider: { answer: (delivery: OutboundMessage) => Promise<Sent> } = { answer: taken }
  const sender = {
    send: (delivery: OutboundMessage) => {
      sent.push(delivery)
      return provider.answer(delivery)
    },
  }
  const tools = () => ({
    pool: given().pool,
    bus: given().bus,
    now: () => given().clock.now(),
    nearestTownName: () => 'Lagos',
    publicUrl: 'https://cold.test',
    log: createLog('silent'),
    senders: { mail: sender, sms: sender, chat: sender, webhook: sender, push: sender },
  })
  async function rounds() {
    const pipeline = given()
    await applyDueSteps(pipeline.pool, pipeline.clock.now())
    while ((await dispatch(tools())) > 0);
    while ((await deliver(tools())) > 0);
  }

  /** A company whose alarm tells these people. */
  async function scene(people: Person[], { devices = 1, severity = 'critical', more = '' }: Story = {}) {
    const pipeline = given()
    pipeline.clock.set(start)
    sent.length = 0
    provider.answer = taken
    const companyId = await pipeline.company()
    const list: TestDevice[] = []
    for (let i = 0; i < devices; i++) list.push(await pipeline.device({ companyId }))
    const lists: Record<number, NewRecipient[]> = { 1: [], 2: [] }
    for (const [index, { channels, role = 'staff', quiet, phone = '+2348000000000', tier = 1 }] of people.entries()) {
      const { id } = await buildUser(pipeline, {
        ...{ company: { companyId }, role: role as Role, phone, timezone: 'Africa/Lagos' },
        ...{ fullname: `Person ${index}`, email: `p${index}.${companyId}@example.test` },
        settings: quiet ? { quiet_from: quiet[0], quiet_to: quiet[1] } : {},
      })
      lists[tier]?.push({ userId: id, channels } as NewRecipient)
    }
    const { 1: recipients = [], 2: escalation = [] } = lists
    const deviceIds = list.map(({ id }) => id)
    await anAlarm(pipeline, { companyId }, { severity, notifyNormal: true, deviceIds, recipients, escalation })
    if (more) await pipeline.change(companyId, `update alarms set ${more} where company_id = $1`, [companyId])
    return { companyId, devices: list, device: list[0] as TestDevice }
  }
  const breach = (device: TestDevice, temperatureC = 9, at = given().clock.now()) =>
    given().post(device, { at: at.toISOString(), temperatureC })
  const grant = (companyId: number, units: number) =>
    given().change(companyId, `update wallets set balance = $2 where company_id = $1 and kind = 'sms'`, [
      companyId,
      units,
    ])
  const deliveries = (companyId: number) =>
    given().rows<{
      channel: string
      state: string
      reason: string | null
      units: number
      event: string
      payload: { more: number }
    }>('select * from deliveries where company_id = $1 order by id', [companyId])
  return { sent, provider, tools, rounds, scene, breach, grant, deliveries }
}
