// @vitest-environment page
import { afterEach, expect, test, vi } from 'vitest'
import { find, leave, show } from '../../test/show.tsx'
import { ImportDialog } from './import-dialog.tsx'

afterEach(leave)
afterEach(() => vi.unstubAllGlobals())

const message = 'A date is expected, such as 2026-01-31.'
const problems = [{ row: 2, column: 'licenceExpiresOn', message }]

async function check(isNarrow: boolean) {
  const none = () => undefined
  vi.stubGlobal('matchMedia', () => ({ matches: isNarrow, addEventListener: none, removeEventListener: none }))
  const send = async () => ({ applied: false, rows: 1, problems, problemsLeftOut: 0 })
  const example = { name: 'Musa' }
  await show(
    <ImportDialog
      {...{ title: 'Import drivers', columns: ['name'], example, templateName: 'drivers.csv', send }}
      {...{ onAdded: none, onClose: none }}
    />,
    { texts: ['csvImport'] },
  )
  const input = (await find('input[type=file]')) as HTMLInputElement
  Object.defineProperty(input, 'files', { value: [new File(['name'], 'drivers.csv')] })
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

test('what is wrong with a file is a table, and on a phone a list, where a message has its whole width', async () => {
  await check(false)
  await find('td', message)
  await check(true)
  expect((await find('li', message)).textContent).toBe(`Row 2 · licenceExpiresOn${message}`)
  expect(document.querySelector('table')).toBeNull()
})
