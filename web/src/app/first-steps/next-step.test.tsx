// @vitest-environment page
import { defaultMatrix } from '@isotherm/contract/permissions.ts'
import { afterEach, expect, test } from 'vitest'
import { getSession, setSession } from '../../lib/session.ts'
import { eventually, leave, logInAs, press, serve, show } from '../../test/show.tsx'
import { NextStep } from './next-step.tsx'

afterEach(leave)

const done = { device: true, limits: true, alarm: false, person: false, group: false }

/** The page of a device that was just set up, in a company whose list of first steps is hidden or not. Gives the calls that were made. */
async function open(firstStepsHidden = false) {
  const asked = serve(({ path }) =>
    path.startsWith('/auth/profile')
      ? { payload: { user: getSession(), company: { firstStepsHidden } } }
      : {
          payload: {
            firstSteps: Object.entries(done).map(([step, isDone]) => ({ step, isDone })),
            sampleDeviceId: null,
          },
        },
  )
  await show(<NextStep after="device" />, { texts: ['firstSteps'] })
  return asked
}
const bar = () => document.querySelector('aside')

test('whoever has set a device up is led to the first step that is not done, until they close it', async () => {
  logInAs('admin')
  await open()
  await eventually(() => expect(bar()?.querySelector('a')?.getAttribute('href')).toBe('/alarms/add-alarm-page'))
  await press('Close')
  expect(bar()).toBeNull()
})

test('whoever may not do the first step that is left is led to the next one that they may', async () => {
  logInAs('admin')
  setSession({ roleModulePermissions: { ...defaultMatrix.admin, alarms: defaultMatrix.staff.alarms } })
  await open()
  await eventually(() => expect(bar()?.querySelector('a')?.getAttribute('href')).toBe('/users/all-users'))
})

test('a company that has hidden the list is led nowhere, and its figures are not asked for', async () => {
  logInAs('admin')
  const asked = await open(true)
  await eventually(() => expect(asked.map(({ path }) => path)).toEqual(['/auth/profile']))
  expect(bar()).toBeNull()
})
