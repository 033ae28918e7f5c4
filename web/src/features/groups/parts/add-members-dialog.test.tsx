// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import { getToasts, toastSuccess } from '../../../lib/toast.ts'
import { eventually, field, find, isShown, leave, logInAs, press, show, type } from '../../../test/show.tsx'
import { AddMembersDialog } from './add-members-dialog.tsx'

const fleet = [
  { id: '1', label: 'Held back', note: 'Q-tag · 490154203237518' },
  { id: '2', label: 'Held back', note: 'Q-tag · 356938035643809' },
  { id: '3', label: 'Van', note: '353456789012345' },
]
const useFound = (search: string) => {
  const found = fleet.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
  return { found, total: found.length, isStale: false }
}

async function open(find = useFound, add?: () => Promise<void>) {
  const added: string[][] = []
  await show(
    <AddMembersDialog
      title="Add devices"
      label="Devices"
      placeholder="Name"
      nothingFound="No device found"
      nothingLeft="There is no other device to add."
      groupId="7"
      useFound={find}
      addAll={async () => {}}
      add={add ?? (async (ids) => void added.push(ids))}
      onClose={() => {}}
    />,
    { texts: ['groups'] },
  )
  await field('Devices')
  return added
}
const boxes = () => [...document.querySelectorAll<HTMLInputElement>('[role=dialog] input[type=checkbox]')]

afterEach(leave)
logInAs('admin')

test('two devices of one name are told apart, and what is chosen stays listed while another text is typed', async () => {
  const added = await open()
  await eventually(() => expect(boxes()).toHaveLength(3))
  for (const { note } of fleet) expect(isShown(note)).toBe(true)
  boxes()[1]?.click()
  await eventually(() => expect(isShown('1 chosen')).toBe(true))
  type(await field('Devices'), 'van')
  await eventually(() => expect(isShown('Q-tag · 490154203237518')).toBe(false))
  expect(boxes().map(({ checked }) => checked)).toEqual([true, false])
  boxes()[1]?.click()
  await eventually(() => expect(isShown('2 chosen')).toBe(true))
  await press(/^Add devices$/)
  await eventually(() => expect(added).toEqual([['2', '3']]))
})

test('the button for all that is found stays in its place while somebody types or chooses', async () => {
  await open()
  const all = await find('button', 'Add all 3 found')
  boxes()[0]?.click()
  await eventually(() => expect((all as HTMLButtonElement).disabled).toBe(true))
  expect(all.isConnected).toBe(true)
  boxes()[0]?.click()
  type(await field('Devices'), 'held', { leave: false })
  expect(all.isConnected).toBe(true)
  await find('button', 'Add all 2 found')
})

test('a group that has all devices says so; a text that nothing has is not found', async () => {
  await open(() => ({ found: [], total: 0, isStale: false }))
  await eventually(() => expect(isShown('There is no other device to add.')).toBe(true))
  type(await field('Devices'), 'van')
  await eventually(() => expect(isShown('No device found')).toBe(true))
  expect(isShown('There is no other device to add.')).toBe(false)
})

test('what was added is told once the dialog is done, not over it', async () => {
  const [answered, refetched] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isSaid = false
  await open(useFound, async () => {
    await answered.promise
    toastSuccess('One device added')
    isSaid = true
    await refetched.promise
  })
  await eventually(() => expect(boxes()).toHaveLength(3))
  boxes()[0]?.click()
  await press(/^Add devices$/)
  await eventually(() => expect(document.querySelector('[role=dialog] [data-loading]')).not.toBeNull())
  answered.resolve()
  await eventually(() => expect(isSaid).toBe(true))
  expect(getToasts()).toEqual([])
  refetched.resolve()
  await eventually(() => expect(getToasts().map(({ text }) => text)).toEqual(['One device added']))
})

test('nothing is said to be missing before the first answer', async () => {
  await open(() => ({ found: [], total: 0, isStale: true }))
  expect(document.querySelectorAll('[role=dialog] li')).toHaveLength(0)
})
