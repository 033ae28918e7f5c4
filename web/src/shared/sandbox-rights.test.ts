import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { api } from '@isotherm/contract/api.ts'
import type { Call } from '@isotherm/contract/call.ts'
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { isOpenInSandbox } from '@isotherm/contract/sandbox-calls.ts'
import { afterEach, expect, test } from 'vitest'
import { can, openOnly } from '../lib/can.ts'
import { setSession } from '../lib/session.ts'
import { closedRights, closeRights } from './sandbox-rights.ts'

afterEach(() => {
  openOnly(() => true)
  setSession({ token: null, role: null, roleModulePermissions: null })
})

const rows = new Map<string, Call>(
  Object.entries(api).flatMap(([feature, calls]) =>
    Object.entries<Call>(calls).map(([name, row]) => [`${feature}.${name}`, row]),
  ),
)
const writes = ({ method, readOnly }: Call) => method !== 'GET' && readOnly !== true
/** The calls that are closed, by the names that screens know them by. */
const closed = new Map([...rows].filter(([, row]) => row.needs !== 'public' && !isOpenInSandbox(row)))

test('rights by which every call that writes is closed are closed as a whole, and no others', () => {
  const open = new Set(
    [...rows.values()].filter((row) => writes(row) && isOpenInSandbox(row)).map(({ needs }) => needs),
  )
  const edits = new Set([...closed.values()].map(({ needs }) => needs).filter((right) => right.endsWith('.addOrEdit')))
  expect([...edits].filter((right) => !open.has(right)).sort()).toEqual([...closedRights].sort())
})

test('nobody may do in a sandbox what is closed there; elsewhere the role decides', () => {
  setSession({ token: 'token', role: 'admin', roleModulePermissions: defaultMatrix.admin })
  expect([can(api.deviceLife.swap), can(api.devices.change), can('users.addOrEdit')]).toEqual([true, true, true])
  closeRights()
  expect([can(api.deviceLife.swap), can(api.devices.change), can('users.addOrEdit')]).toEqual([false, true, false])
  expect([can(api.devices.list), can('devices.addOrEdit'), can('admin')]).toEqual([true, true, true])
  setSession({ role: 'staff', roleModulePermissions: defaultMatrix.staff })
  expect(can(api.groups.add)).toBe(false)
})

/** Closed calls that no screen of a sandbox leads to, and why. */
const unreachable: Record<string, string> = {
  'auth.acceptTerms': 'the person of a sandbox accepted them',
  'security.prove': 'no proof is asked for there',
  'security.provePasskey': 'no proof is asked for there',
  'sso.startProof': 'no proof is asked for there',
  'sso.finishProof': 'no proof is asked for there',
  'sso.finishTest': 'the test is begun on the screen of single sign-on, which asks',
  'notifications.addBrowser': 'the switch is in the settings, which ask',
  'notifications.removeBrowser': 'made by a log-out, of browsers that were added',
  'sandbox.make': 'the panel is shown outside of one',
  'sandbox.open': 'the panel is shown outside of one',
  'sandbox.end': 'the panel is shown outside of one',
  'orderEvidence.claim': 'there are no orders',
  'orderLinks.mailReceipt': 'there are no orders',
  'orderWarnings.acknowledge': 'there are no orders',
  'coldTreatments.makeRecord': 'there are no shipments',
  'epcis.push': 'there are no shipments',
  'epcis.retry': 'there are no shipments',
}

/** A screen that no session of a sandbox is led to: only one that has to set a second factor up. */
const unreachableScreen = 'app/enrol/enrol-page.tsx'

const root = join(import.meta.dirname, '..')
const sources = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|^test\//.test(name))
    .map((name) => [name, readFileSync(join(root, name), 'utf8')]),
)

/** A source with the names of the contract where it has its own for them. */
const named = (text: string) =>
  [...text.matchAll(/\b(\w+) as (\w+)\b[^;]*?from '@isotherm\/contract/g)].reduce(
    (named, [, name, own]) => named.replaceAll(`${own}.`, `${name}.`),
    text,
  )

const asking = /(?:\b(?:can|useCan)\(|\brow=\{|\bneeds: )'?(\w+\.\w+)/g
/** Whether a source asks `can` for a call or right that is closed. */
const asks = (text: string) =>
  [...text.matchAll(asking)].some(([, what = '']) => closed.has(what) || closedRights.has(what as never))

/** The closed calls that a source makes. */
const made = (text: string) =>
  [...new Set([...text.replaceAll(asking, '').matchAll(/\b(\w+\.\w+)\b/g)].map(([, name = '']) => name))].filter(
    (name) => closed.has(name) && !closedRights.has(closed.get(name)?.needs ?? 'public') && !unreachable[name],
  )

const importers = new Map<string, string[]>()
for (const [name, text] of sources)
  for (const [, to = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const file = relative(root, join(root, dirname(name), to))
    importers.set(file, [...(importers.get(file) ?? []), name])
  }

/** A way from a source to a screen's route on which nobody asks. */
function wayUnasked(name: string, way: string[] = []): string[] | null {
  const text = named(sources.get(name) ?? '')
  if (asks(text) || way.includes(name) || name === unreachableScreen) return null
  const next = importers.get(name) ?? []
  if (next.length === 0 || name.startsWith('app/router/')) return [...way, name]
  for (const one of next) {
    const found = wayUnasked(one, [...way, name])
    if (found) return found
  }
  return null
}

test('every screen asks whether it may, before it shows the button of a call that is closed in a sandbox', () => {
  const faults = [...sources].flatMap(([name, text]) =>
    made(named(text)).flatMap((row) => {
      const way = wayUnasked(name)
      return way ? `${row}: ${way.join(' < ')}` : []
    }),
  )
  expect(faults).toEqual([])
})
