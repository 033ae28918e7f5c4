// @vitest-environment page
import { afterEach, test } from 'vitest'
import { find, leave, logInAs, show } from '../../../test/show.tsx'
import { buildDevice } from '../test/build-device.ts'
import { WaitingNotes } from './waiting-notes.tsx'

const waiting = { kind: 'interval' as const, value: { intervalS: 600 }, since: new Date().toISOString(), sentAt: null }

afterEach(leave)
logInAs('admin')

test.each([
  ['never heard', buildDevice({ latest: null, waiting: [waiting] }), /As soon as the device is in touch for the first/],
  ['heard before', buildDevice({ waiting: [waiting] }), /it has not been in touch since/],
  ['told', buildDevice({ waiting: [{ ...waiting, sentAt: waiting.since }] }), /handed to it/],
])('a command of a tracker that was %s says so', async (_when, device, words) => {
  await show(<WaitingNotes device={device} />, { texts: ['devices'] })
  await find('p', words)
})
