import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { describeApp } from '../../../test/describe-app.ts'
import { manyDevices, renameDevice } from '../../../test/device-factory.ts'
import { buildUser } from '../../../test/factories.ts'
import { buildGroup } from '../../../test/group-factory.ts'
import { Turns } from '../../platform/loop/turns.ts'

const t = describeApp()

const devices = 1_200

/** The rows of the longest answer with more columns than an id, of which objects are made in one go. */
async function longestOf(work: () => Promise<unknown>): Promise<number> {
  const asked = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    const answers = await Promise.all(asked.mock.results.map(({ value }) => value as Promise<pg.QueryResult>))
    return Math.max(...answers.map((answer) => (answer?.fields?.length > 2 ? answer.rows.length : 0)))
  } finally {
    asked.mockRestore()
  }
}

test('a map and the overview of a group read many devices in slices, and tell all of them in their order', async () => {
  const user = await buildUser(t)
  const ids = await manyDevices(t, user, devices)
  await renameDevice(t, user, ids[700] ?? 0, 'A first one')
  const group = await buildGroup(t, user, { deviceIds: ids })
  const ask = async (path: string) => (await t.call('GET', path, { token: user.token })).body.payload

  let fleet = { ids: [], names: [] as string[] }
  expect(await longestOf(async () => (fleet = await ask('/devices/positions')))).toBeLessThanOrEqual(devices / 2)
  expect(new Set(fleet.ids).size).toBe(devices)
  expect(fleet.names.slice(0, 4)).toEqual(['A first one', 'Unit 1', 'Unit 10', 'Unit 100'])

  let overview = { devices: [] as { id: string; name: string }[] }
  expect(await longestOf(async () => (overview = await ask(`/groups/${group.id}/overview`)))).toBeLessThanOrEqual(
    devices / 2,
  )
  expect(new Set(overview.devices.map(({ id }) => id)).size).toBe(devices)
})

test('the columns of a map are made in turns, as its rows are read', async () => {
  const user = await buildUser(t)
  await manyDevices(t, user, devices)
  // As if each slice took long.
  const isOver = vi.spyOn(Turns.prototype, 'isOver', 'get').mockReturnValue(true)
  const next = vi.spyOn(Turns.prototype, 'next')
  try {
    await t.call('GET', '/devices/positions', { token: user.token })
    // Three slices are read, and made into columns.
    expect(next.mock.calls.length).toBeGreaterThanOrEqual(6)
  } finally {
    isOver.mockRestore()
    next.mockRestore()
  }
})
