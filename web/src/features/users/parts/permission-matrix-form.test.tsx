// @vitest-environment happy-dom
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { useNavigate } from '@tanstack/react-router'
import { afterEach, expect, test } from 'vitest'
import { eventually, find, isShown, leave, logInAs, press, show } from '../../../test/show.tsx'
import { PermissionMatrixForm } from './permission-matrix-form.tsx'
// Loaded here already: the form asks once its guard has arrived.
import '../../../ui/form/leave-dialog.tsx'
import '../../../ui/form/leave-guard.tsx'

const role = 'staff'

function Probe() {
  const navigate = useNavigate()
  const toManager = () => void navigate({ to: '.', search: { role: 'manager' } as never })
  return (
    <>
      <PermissionMatrixForm role={role} saved={defaultMatrix.staff} />
      <button type="button" onClick={toManager}>
        Manager
      </button>
    </>
  )
}

afterEach(leave)
logInAs('admin')

test('unsaved ticks ask before another role is chosen', async () => {
  const { address } = await show(<Probe />, { path: '/?role=staff', texts: ['users'] })
  const tick = (await find('input[type=checkbox]', /Devices.*Export/)) as HTMLInputElement
  tick.click()
  await press('Manager')
  await find('h2', 'Leave without saving?')
  expect(address()).toBe('/?role=staff')
  await press(/^Leave$/)
  await eventually(() => expect(address()).toBe('/?role=manager'))
})

test('without ticks the other role is shown at once', async () => {
  const { address } = await show(<Probe />, { path: '/?role=staff', texts: ['users'] })
  await find('input[type=checkbox]', /Devices.*Export/)
  await press('Manager')
  await eventually(() => expect(address()).toBe('/?role=manager'))
  expect(isShown('Leave without saving?')).toBe(false)
})
