// @vitest-environment page
import type { ComponentProps } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { eventually, field, find, isShown, leave, logInAs, press, show } from '../../test/show.tsx'
import { type ListAnswer, ListView } from './list-view.tsx'
import { useListParams } from './use-list-params.ts'
import { useSelection } from './use-selection.ts'

interface Fridge {
  id: string
  name: string
}
const fridges = [
  { id: '1', name: 'Fridge 1' },
  { id: '2', name: 'Fridge 2' },
]
const pageOf = (data: Fridge[], total = data.length): ListAnswer<Fridge> => ({
  data: { data, meta: { page: 1, perPage: 2, total, pageCount: Math.ceil(total / 2) } },
  error: null,
  isPlaceholderData: false,
  refetch: () => undefined,
})
const filters = { state: ['warm', 'cold'] }
const sort = z.enum(['name', '-name']).default('name')

interface ProbeProps {
  answer: ListAnswer<Fridge>
  more?: Pick<ComponentProps<typeof ListView<Fridge>>, 'columns' | 'filters' | 'asCards'>
}

function Probe({ answer, more }: ProbeProps) {
  const params = useListParams({ sort, filters })
  const selection = useSelection()
  return (
    <ListView
      label="Fridges"
      answer={answer}
      params={params}
      selection={selection}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      columns={[{ key: 'name', title: 'Name', sort: 'name', render: ({ name }) => name }]}
      empty={{ title: 'No fridges yet', action: <button type="button">Add a fridge</button> }}
      {...more}
    />
  )
}

afterEach(leave)
logInAs('admin')

test('a card leaves out what a row has nothing of, a table has a dash there', async () => {
  const place = {
    ...{ key: 'place', title: 'Place', isEmpty: ({ id }: Fridge) => id === '2' },
    render: ({ id }: Fridge) => (id === '2' ? '–' : 'Kitchen'),
  }
  const name = { key: 'name', title: 'Name', render: ({ name }: Fridge) => name }
  const list = (asCards: boolean) => <Probe answer={pageOf(fridges)} more={{ columns: [name, place], asCards }} />
  await show(list(false))
  expect((await find('tr', /Fridge 2/)).textContent).toContain('–')
  await show(list(true))
  expect((await find('li', /Fridge 1/)).textContent).toContain('PlaceKitchen')
  expect((await find('li', /Fridge 2/)).textContent).not.toContain('Place')
})

test('rows stand under their columns, and a column turns its order in the address', async () => {
  const { address } = await show(<Probe answer={pageOf(fridges)} />)
  await find('td', 'Fridge 2')
  expect((await find('th[aria-sort]', 'Name')).getAttribute('aria-sort')).toBe('ascending')
  await press('Name')
  await eventually(() => expect(address()).toBe('/?sort=-name'))
  await eventually(async () =>
    expect((await find('th[aria-sort]', 'Name')).getAttribute('aria-sort')).toBe('descending'),
  )
})

test('with nothing at all it says what to do', async () => {
  await show(<Probe answer={pageOf([])} />)
  await find('button', 'Add a fridge')
  expect(isShown('no results found')).toBe(false)
})

test('with nothing that matches it says so, and shows all again', async () => {
  const { address } = await show(<Probe answer={pageOf([])} />, { path: '/?search=van&state=warm' })
  await find('h2, h3, p, div', 'no results found')
  expect(isShown('No fridges yet')).toBe(false)
  await press('Show all')
  await eventually(() => expect(address()).toBe('/'))
})

test('a failure is said in place of the rows, and is tried again', async () => {
  const refetch = vi.fn()
  await show(<Probe answer={{ data: undefined, error: new Error('x'), isPlaceholderData: false, refetch }} />)
  await find('[role=alert]', 'Something went wrong')
  await press('Try again')
  expect(refetch).toHaveBeenCalledOnce()
})

test('while it loads, that is said to screen readers', async () => {
  await show(<Probe answer={{ ...pageOf([]), data: undefined }} />)
  await find('[role=status]', 'Loading')
})

test('what is ticked is counted, and can be let go', async () => {
  await show(<Probe answer={pageOf(fridges)} />)
  ;(await find('input[type=checkbox]', 'Select Fridge 2')).click()
  await find('[role=toolbar] p', '1 selected')
  ;(await find('input[type=checkbox]', 'Select all')).click()
  await find('[role=toolbar] p', '2 selected')
  await press('Clear selection')
  await eventually(() => expect(document.querySelector('[role=toolbar]')).toBeNull())
})

test('more than a page has pages, kept in the address', async () => {
  const { address } = await show(<Probe answer={pageOf(fridges, 5)} />)
  await find('nav p', '1–2 of 5')
  await press('Next page')
  await eventually(() => expect(address()).toBe('/?page=2'))
})

test('a page beyond the last one turns back to it, once it is known that there is none', async () => {
  const beyond = (isPlaceholderData: boolean) => <Probe answer={{ ...pageOf([], 3), isPlaceholderData }} />
  const { address } = await show(beyond(true), { path: '/?state=warm&page=4' })
  await find('h2, h3, p, div', 'no results found')
  expect(address()).toBe('/?state=warm&page=4')
  const known = await show(beyond(false), { path: '/?state=warm&page=4' })
  await eventually(() => expect(known.address()).toBe('/?state=warm&page=2'))
})

const column = (key: string) => ({ key, title: key, render: ({ name }: Fridge) => `${key} of ${name}` })

test('a column can be chosen away, and comes back; the first cannot', async () => {
  localStorage.clear()
  await show(<Probe answer={pageOf(fridges)} more={{ columns: ['Name', 'Place', 'Battery', 'Tag'].map(column) }} />)
  await find('td', 'Place of Fridge 1')
  await press('Columns')
  const place = await field('Place')
  place.click()
  await eventually(() => expect(isShown('Place of Fridge 1')).toBe(false))
  expect(document.querySelector('th')?.textContent).toBe('')
  expect([...document.querySelectorAll('label')].map(({ textContent }) => textContent)).toEqual([
    'Place',
    'Battery',
    'Tag',
  ])
  place.click()
  await find('td', 'Place of Fridge 1')
})

test('a chip that would show nothing is left out, unless it is the chosen one', async () => {
  const options = [
    { value: 'warm', label: 'Warm', count: 0 },
    { value: 'cold', label: 'Cold', count: 2 },
  ]
  const more = { columns: [column('Name')], filters: [{ name: 'state', label: 'State', allLabel: 'All', options }] }
  await show(<Probe answer={pageOf(fridges)} more={more} />)
  await find('button', 'Cold')
  expect(isShown('Warm')).toBe(false)
  await show(<Probe answer={pageOf(fridges)} more={more} />, { path: '/?state=warm' })
  await find('button', 'Warm')
})
