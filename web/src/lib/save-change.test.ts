import { expect, test, vi } from 'vitest'
import { CallError } from './call-error.ts'
import { differing, saveChange } from './save-change.ts'

interface Thing {
  name: string
  hours: number[]
  version: number
}

const seen: Thing = { name: 'Cold store', hours: [1, 2], version: 4 }
const outdated = () => new CallError(400, 'CHANGED_MEANWHILE', 'Somebody changed this meanwhile: Cold store.')

/** A server whose thing is `now`, and which refuses what was made from another version. */
function serverWith(now: Thing) {
  const send = vi.fn(async (body: Partial<Thing> & { version: number }) => {
    if (body.version !== now.version) throw outdated()
    return { ...now, ...body, version: now.version + 1 }
  })
  const bodyOf = ({ name, hours }: Thing) => ({ name, hours })
  const onRefused = vi.fn()
  const save = (change: Partial<Omit<Thing, 'version'>>) =>
    saveChange({ seen, change, bodyOf, send, load: async () => now, onRefused })
  return { send, save, onRefused }
}

test('a change of a thing that nobody else changed is sent once, with the version that was seen', async () => {
  const { send, save } = serverWith(seen)
  expect(await save({ name: 'Store 1' })).toEqual({ name: 'Store 1', hours: [1, 2], version: 5 })
  expect(send).toHaveBeenCalledOnce()
})

test('where somebody changed another field, both changes are kept', async () => {
  const { save } = serverWith({ ...seen, hours: [3], version: 6 })
  expect(await save({ name: 'Store 1' })).toEqual({ name: 'Store 1', hours: [3], version: 7 })
})

test('where somebody changed the same field, nothing is sent again, the form hears of it and the refusal is thrown', async () => {
  const now = { ...seen, hours: [3], version: 5 }
  const { send, save, onRefused } = serverWith(now)
  await expect(save({ name: 'Store 1', hours: [1] })).rejects.toThrow('changed this meanwhile')
  expect(send).toHaveBeenCalledOnce()
  expect(onRefused.mock.calls).toEqual([[now]])
})

test('what is refused for another reason is not sent again', async () => {
  const send = vi.fn().mockRejectedValue(new CallError(403, 'FORBIDDEN', 'No.'))
  const load = vi.fn()
  const onRefused = vi.fn()
  const bodyOf = ({ name }: Thing) => ({ name })
  const sent = saveChange({ seen, change: { name: 'x' }, bodyOf, send, load, onRefused })
  await expect(sent).rejects.toThrow('No.')
  expect([send, load, onRefused].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0])
})

test('only the fields that differ are a change, lists by what is in them', () => {
  const before = { name: 'a', hours: [1], note: null }
  expect(differing(before, { name: 'a', hours: [1], note: null })).toEqual({})
  expect(differing<typeof before>(before, { name: 'b', hours: [1, 2], note: null })).toEqual({
    name: 'b',
    hours: [1, 2],
  })
})
