// @vitest-environment page
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { useNavigate } from '@tanstack/react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { eventually, find, isShown, leave, logInAs, press, show } from '../../../test/show.tsx'
import { PermissionMatrixForm } from './permission-matrix-form.tsx'

const saved = { role: 'staff', modulePermissions: defaultMatrix.staff, version: 1 } as const

function Probe() {
  const navigate = useNavigate()
  const toManager = () => void navigate({ to: '.', search: { role: 'manager' } as never })
  return (
    <>
      <PermissionMatrixForm saved={saved} />
      <button type="button" onClick={toManager}>
        Manager
      </button>
    </>
  )
}

afterEach(leave)
logInAs('admin')

const devicesExport = async () => (await find('input[type=checkbox]', /Devices.*Export/)) as HTMLInputElement

/** The form with its guard: shown for the first time, it is there a moment before the guard has arrived. */
async function showGuarded() {
  const once = () => show(<Probe />, { path: '/?role=staff', texts: ['users'] })
  await once()
  await devicesExport()
  await vi.dynamicImportSettled()
  return once()
}

test('unsaved ticks ask before another role is chosen', async () => {
  const { address } = await showGuarded()
  const tick = await devicesExport()
  tick.click()
  await press('Manager')
  await find('h2', 'Leave without saving?')
  expect(address()).toBe('/?role=staff')
  await press(/^Leave$/)
  await eventually(() => expect(address()).toBe('/?role=manager'))
})

test('without ticks the other role is shown at once', async () => {
  const { address } = await showGuarded()
  await devicesExport()
  await press('Manager')
  await eventually(() => expect(address()).toBe('/?role=manager'))
  expect(isShown('Leave without saving?')).toBe(false)
})
