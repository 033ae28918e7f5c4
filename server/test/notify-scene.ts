import { AlarmRule } from '@isotherm/contract/alarm-rules.ts'
import { deliver, type OutboundMessage, type Sent } from '../src/pipeline/notify/deliver.ts'
import { dispatch } from '../src/pipeline/notify/dispatch.ts'
import { applyDueSteps } from '../src/pipeline/notify/lifecycle.ts'
import { createLog } from '../src/platform/log/log.ts'
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
  async function scene(people: Person[], { devices = 1, severity = 'critical', more = '' } = {}) {
    const pipeline = given()
    pipeline.clock.set(start)
    sent.length = 0
    provider.answer = taken
    const companyId = await pipeline.company()
    const list: TestDevice[] = []
    for (let i = 0; i < devices; i++) list.push(await pipeline.device({ companyId }))
    const rule = AlarmRule.parse({ kind: 'value', temperatureMaxC: 8 })
    await pipeline.change(
      companyId,
      `insert into alarms (company_id, name, kind, severity, visibility, rule, rule_from, notify_normal, created_at, updated_at)
       values ($1, 'Too warm', 'value', $2, 'public', $3, '2020-01-01', true, now(), now())`,
      [companyId, severity, JSON.stringify(rule)],
    )
    if (more) await pipeline.change(companyId, `update alarms set ${more} where company_id = $1`, [companyId])
    await pipeline.change(
      companyId,
      `insert into alarm_targets (company_id, alarm_id, device_id) select a.company_id, a.id, d.id from alarms a join devices d using (company_id) where company_id = $1`,
      [companyId],
    )
    for (const [index, { channels, role = 'staff', quiet, phone = '+2348000000000', tier = 1 }] of people.entries()) {
      await pipeline.change(
        companyId,
        `with u as (insert into users (company_id, fullname, email, role, timezone, locale, status, phone)
           values ($1, $2, $3, $4, 'Africa/Lagos', 'en', 'active', $5) returning id),
         s as (insert into notification_settings (company_id, user_id, quiet_from, quiet_to, updated_at)
           select $1, id, $7, $8, now() from u)
         insert into alarm_recipients (company_id, alarm_id, tier, user_id, channels)
         select $1, a.id, $9, u.id, $6 from u, alarms a where a.company_id = $1`,
        [
          companyId,
          `Person ${index}`,
          `p${index}.${companyId}@example.test`,
          role,
          phone,
          channels,
          quiet?.[0] ?? null,
          quiet?.[1] ?? null,
          tier,
        ],
      )
    }
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
