import { issueKeys } from '../../core/provider/licence-keys.ts'
import { changing } from './desk.ts'
import { planOf } from './plans.ts'
import type { ProviderTools } from './provider-tools.ts'
import { whole } from './typed.ts'

interface IssueOptions {
  devices?: string | undefined
  months?: string | undefined
  plan?: string | undefined
  count: string
}

/** Makes licence keys and prints them, a line each; with a plan they limit what that limits, without one devices only. */
export async function issueLicences(tools: ProviderTools, values: IssueOptions): Promise<void> {
  const months = whole('months', values.months, 120)
  const count = whole('count', values.count, 10_000)
  let devices = values.plan === undefined || values.devices !== undefined ? devicesOf(values.devices) : 0
  let keys: string[] = []
  await changing(tools, async (tx, now) => {
    const plan = values.plan === undefined ? undefined : await planOf(tx, values.plan)
    devices ||= plan?.devices ?? 0
    keys = await issueKeys(tx, { devices, months, count, planId: plan?.id ?? null, now })
    const after = { devices, months, count, plan: plan?.code ?? null }
    return { act: 'licences.issued', target: `${count} keys`, after }
  })
  tools.warn(`${count} x ${devices} devices for ${months} months; keys are shown this once:`)
  for (const key of keys) tools.out(key)
}

const devicesOf = (text: string | undefined) => whole('devices', text, 100_000)
