// @vitest-environment page
import type { RecordDetails } from '@isotherm/contract/records.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventually, field, find, isShown, leave, logInAs, press, serve, show, type } from '../../../test/show.tsx'
import { SignDialog } from './sign-dialog.tsx'

beforeEach(() => {
  logInAs('admin')
  // A text field that grows waits for fonts, of which happy-dom has none.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true })
})
afterEach(() => {
  leave()
  vi.unstubAllGlobals()
})

const record = { id: '7', name: 'Trip' } as RecordDetails
const contentSha256 = 'a'.repeat(64)

/** Opens the dialog and gives a reason; answers the bodies of the signatures that were sent. */
async function opened(hasPassword: boolean) {
  const requests = serve(({ path }) => (path === '/auth/security' ? { payload: { hasPassword } } : { payload: {} }))
  await show(<SignDialog record={record} contentSha256={contentSha256} onClose={() => undefined} />, {
    texts: ['records'],
  })
  await find('p, div', 'You sign as')
  type(await field('Reason'), 'All in range')
  const sent = () => requests.filter(({ path }) => path.endsWith('/signatures')).map(({ body }) => body)
  return { sent }
}

test('who has no password is asked for none: the server asks for a proof by single sign-on', async () => {
  const { sent } = await opened(false)
  await find('p', 'confirm by single sign-on')
  expect(isShown('Your password')).toBe(false)
  await press('Sign')
  await eventually(() => expect(sent()).toEqual([{ meaning: 'reviewed', reason: 'All in range', contentSha256 }]))
})

test('the first field has the focus, and not the button that closes', async () => {
  await show(<SignDialog record={record} contentSha256={contentSha256} onClose={() => undefined} />, {
    texts: ['records'],
  })
  const meaning = await field('Meaning')
  await eventually(() => expect(document.activeElement).toBe(meaning))
})

test('who has a password enters it again', async () => {
  const { sent } = await opened(true)
  type(await field('Your password'), 'my password')
  await press('Sign')
  const body = { meaning: 'reviewed', reason: 'All in range', password: 'my password', contentSha256 }
  await eventually(() => expect(sent()).toEqual([body]))
})
