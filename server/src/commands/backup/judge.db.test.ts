import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { buildUser, password } from '../../../test/factories.ts'
import { buildRecord } from '../../../test/record-factory.ts'
import { signTrails } from '../../features/audit/jobs.ts'
import { storedCommands } from './stored.ts'

const t = describeApp()

/** Runs a command; what it printed, and its exit code. */
async function run(name: string, args: string[] = []) {
  const databaseUrl = String(t.pool.options.connectionString)
  let out = ''
  const log = vi.spyOn(console, 'log').mockImplementation((text) => {
    out += text
  })
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text)
    return true
  })
  try {
    const code = await storedCommands[name]?.({ ...t.services.config, databaseUrl }, args)
    return { code, out }
  } finally {
    log.mockRestore()
    write.mockRestore()
  }
}

/** A change by somebody who owns the database. */
async function asOwner(table: string, sql: string, companyId: number) {
  await t.pool.query(`alter table ${table} no force row level security, disable trigger user`)
  await t.pool.query(sql, [companyId])
  await t.pool.query(`alter table ${table} force row level security, enable trigger user`)
}

test('a restored database is judged by the public keys: its trails, and signatures of records', async () => {
  const admin = await buildUser(t)
  const { companyId } = admin
  const { id } = await buildRecord(t, { companyId, state: 'ended', endAt: t.clock.now() })
  const signed = await t.call('POST', `/enterprise/record/${id}/signatures`, {
    token: admin.token,
    body: { meaning: 'approved', reason: 'All in range', password },
  })
  expect(signed.status).toBe(200)
  await signTrails.run(t.services, {})
  const folder = await mkdtemp(join(tmpdir(), 'isotherm-judge-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const keys = join(folder, 'keys.json')
  const printed = await run('public-keys')
  expect(printed.out).not.toContain('secret')
  await writeFile(keys, printed.out)
  const judged = async () => {
    const { code, out } = await run('judge', ['--keys', keys])
    return { code, ...(JSON.parse(out) as { checked: Record<string, number>; faults: string[] }) }
  }
  const whole = await judged()
  expect(whole).toMatchObject({ code: 0, faults: [], checked: { signatures: 1 } })
  expect(whole.checked.entries).toBeGreaterThan(0)
  expect(whole.checked.checkpoints).toBeGreaterThan(0)

  await asOwner('record_signatures', `update record_signatures set reason = 'Fine' where company_id = $1`, companyId)
  expect(await judged()).toMatchObject({
    code: 1,
    faults: [expect.stringMatching(/^Signature \d+ of company \d+ does not fit what was signed\.$/)],
  })
  await asOwner('audit_log', `update audit_log set reason = 'x' where company_id = $1 and seq = 1`, companyId)
  expect((await judged()).faults[0]).toBe(`The audit trail of company ${companyId} is broken at 1: edited.`)
})

test('without keys, or without a database, it says what it needs', async () => {
  await expect(run('judge')).rejects.toThrow('backup judge --keys FILE')
})
