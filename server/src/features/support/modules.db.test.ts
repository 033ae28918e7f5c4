import { expect, test } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser } from '../../../test/factories.ts'
import { provider } from '../../commands/provider/provider.ts'

const t = describeApp({ billing: { isOn: true, trialDays: 14 } })

async function run(...args: string[]): Promise<string> {
  const lines: string[] = []
  const code = await provider(args, {
    pool: t.pool,
    out: (line) => void lines.push(line),
    warn: (line) => void lines.push(line),
  })
  return code === 0 ? lines.join('\n') : `refused: ${lines.join('\n')}`
}

test('the modules of a company are those of the plans whose licences run, together; without one that runs none is said to be missing', async () => {
  const admin = await buildUser(t)
  const included = async () =>
    (
      (await t.call('GET', '/enterprise/features', { token: admin.token })).body.payload as {
        module: string
        isIncluded?: boolean
      }[]
    )
      .filter(({ isIncluded }) => isIncluded)
      .map(({ module }) => module)
  const issue = async (modules: string) => {
    const code = `plan-${modules.replaceAll(',', '-')}`
    const numbers = ['--devices', '1', '--users', '9', '--emails', '9', '--phones', '9', '--retention', '12']
    await run('plans', 'add', code, '--name', code, ...numbers, '--modules', modules)
    const text = await run('licences', 'issue', '--plan', code, '--months', '12')
    const body = { licenceKey: text.match(/ISO-[0-9A-Z-]+/)?.[0] }
    expect((await t.call('POST', '/enterprise/addLicense', { token: admin.token, body })).status).toBe(200)
  }
  expect(await included()).toHaveLength(7)
  await t.change(
    admin.companyId,
    `update licences set starts_at = now() - interval '3 days', expires_at = now() - interval '2 days' where company_id = $1`,
    [admin.companyId],
  )
  expect(await included()).toHaveLength(7)
  await issue('devices,alarms,payments')
  expect(await included()).toEqual(['devices', 'alarms', 'payments'])
  // A change of the plan is for what is sold later.
  await run('plans', 'change', 'plan-devices-alarms-payments', '--modules', 'all')
  expect(await included()).toEqual(['devices', 'alarms', 'payments'])
  await issue('dispatch')
  expect(await included()).toEqual(['devices', 'alarms', 'dispatch', 'payments'])
  expect(await run('plans', 'list')).toMatch(/plan-dispatch .* dispatch +on sale/)
  expect(await run('plans', 'change', 'plan-dispatch', '--modules', 'magic')).toMatch(/^refused: .*magic/)
})
