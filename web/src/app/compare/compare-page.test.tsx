// @vitest-environment page
import { afterEach, expect, test } from 'vitest'
import { eventually, find, leave, logInAs, serve, show } from '../../test/show.tsx'
import { ComparePage } from './compare-page.tsx'

afterEach(leave)
logInAs('admin')

const paged = (...names: string[]) => ({
  data: names.map((name, at) => ({ id: String(at + 1), name })),
  meta: { page: 1, perPage: 50, total: names.length, pageCount: 1 },
})

test('the field that adds a device is empty again afterwards, and keeps the focus for the next one', async () => {
  serve(({ path }) => (path.startsWith('/devices') ? { payload: paged('Vaccine fridge', 'Van') } : { status: 500 }))
  const { address } = await show(<ComparePage />, { path: '/compare', texts: ['groups', 'devices'] })
  const field = (await find('input[role=combobox]')) as HTMLInputElement
  field.focus()
  field.click()
  ;(await find('[role=option]', 'Van')).click()
  await eventually(() => expect(address()).toContain('devices=2'))
  await eventually(() => expect(field.value).toBe(''))
  expect(document.activeElement).toBe(field)
})
