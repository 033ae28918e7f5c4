import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installationSecret } from '../config/secret.ts'
import { signingKeys } from '../config/signing-keys.ts'
import { BackupState, backupWarnings } from './backup-state.ts'
import { diskStore } from './backup-store.ts'
import { type Drill, drillKeys, drillSecret, leaveDrill, listDrills, signDrills } from './drills.ts'

const base = 'isotherm_wal_20261101t000000z/base/20261101T000000Z.tar.age'
const aDrill = (more: Partial<Drill> = {}): Drill => ({
  ...{ at: '2026-11-27T10:00:00.000Z', restoredTo: '2026-11-27T09:50:00.000Z', base, operator: 'ada' },
  ...{ seconds: { restore: 4, checks: 1 }, timesRestore: 1.25, checked: { files: 3 }, faults: [], ...more },
})

async function aVault() {
  const dir = await mkdtemp(join(tmpdir(), 'isotherm-drills-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const store = diskStore(join(dir, 'vault'))
  const [keys, secret] = [await signingKeys(dir), await installationSecret(dir)]
  const noted: [string, Drill][] = []
  return {
    ...{ store, keys, noted },
    opened: drillSecret(secret, base),
    sign: () => signDrills(store, { keys, secret }, async (...note) => void noted.push(note)),
    listed: () => listDrills(store, keys.known),
    change: async (name: string, change: (words: string) => string) => {
      const path = join(dir, 'vault', name)
      await writeFile(path, change(await readFile(path, 'utf8')))
    },
  }
}

test('the record of who opened the base is noted, and signed once', async () => {
  const { store, keys, noted, opened, sign, listed } = await aVault()
  const name = await leaveDrill(store, aDrill(), opened)
  expect(await listed()).toMatchObject([{ name: 'drills/20261127T100000Z', state: 'left' }])
  expect(await sign()).toEqual([])
  expect(await sign()).toEqual([])
  expect(noted).toEqual([['drills/20261127T100000Z', aDrill()]])
  expect(await listed()).toEqual([
    { name: name.replace('.json', ''), drill: aDrill(), state: 'signed', keyId: keys.id },
  ])
  expect(await drillKeys(store, [keys.id])).toEqual(keys.known)
  expect(await drillKeys(store, ['0'.repeat(16)])).toEqual([])
})

test('a record that anybody could have left is not signed, and said to be so', async () => {
  const { store, noted, opened, sign, listed, change } = await aVault()
  await leaveDrill(store, aDrill(), undefined)
  await leaveDrill(store, aDrill({ at: '2026-11-27T11:00:00.000Z' }), 'another secret')
  await leaveDrill(store, aDrill({ at: '2026-11-27T12:00:00.000Z', base: `${base}x` }), opened)
  const name = await leaveDrill(store, aDrill({ at: '2026-11-27T13:00:00.000Z', faults: ['one'] }), opened)
  await change(name, (words) => words.replace('"one"', ''))
  await store.put('drills/20261127T140000Z.json', [Buffer.from('no json')] as never)
  const unproven = await sign()
  expect(unproven).toHaveLength(5)
  expect(noted).toEqual([])
  const state = new BackupState()
  Object.assign(state, { drills: await listed(), unprovenDrills: unproven })
  expect(state.facts()).toMatchObject({ drillAgeDays: null, drillPassed: null })
  expect(backupWarnings(state.facts()).join()).toContain('not proven to be a drill')
})

test('a signed record that was changed afterwards, or stands under another name, is shown as such', async () => {
  const { store, opened, sign, listed, change } = await aVault()
  const name = await leaveDrill(store, aDrill({ faults: ['one'] }), opened)
  await sign()
  await change(name, (words) => words.replace('"one"', ''))
  expect(await listed()).toMatchObject([{ state: 'unlike' }])
  await store.remove(name)
  expect(await listed()).toMatchObject([{ state: 'signed', drill: { faults: ['one'] } }])
  const [jws] = [await store.get('drills/20261127T100000Z.jws')]
  await store.put('drills/20261127T150000Z.jws', jws)
  expect(await listed()).toMatchObject([{ state: 'signed' }, { state: 'unlike' }])
  await change('drills/20261127T100000Z.jws', (words) => words.replace(/\.\w/, '.x'))
  expect(await listed()).toMatchObject([{ state: 'unlike' }, { state: 'unlike' }])
})

test('the age is that of the last drill without a fault, the result that of the newest', async () => {
  const { store, opened, sign, listed } = await aVault()
  await leaveDrill(store, aDrill(), opened)
  await leaveDrill(store, aDrill({ at: '2026-11-28T10:00:00.000Z', faults: ['one'] }), opened)
  await sign()
  const state = new BackupState()
  state.drills = await listed()
  const facts = state.facts(Date.parse('2026-11-29T10:00:00Z'))
  expect(facts).toMatchObject({ drillAgeDays: 2, drillPassed: false })
})
