// @vitest-environment page
import { afterEach, expect, test, vi } from 'vitest'
import { getToasts } from '../lib/toast.ts'
import { eventually, find, isShown, leave, press, show } from '../test/show.tsx'
import { CopyButton } from './copy-button.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  return leave()
})

const open = () =>
  show(
    <CopyButton value="whsec_1">
      {({ copied, copy }) => (
        <button type="button" onClick={copy}>
          {copied ? 'Copied' : 'Copy'}
        </button>
      )}
    </CopyButton>,
    { texts: [] },
  )

test('a page without TLS copies by a field, and the button has the focus again', async () => {
  vi.stubGlobal('navigator', Object.create(navigator, { clipboard: { value: undefined } }))
  let selected = ''
  document.execCommand = () => {
    selected = (document.querySelector('textarea') as HTMLTextAreaElement).value
    return true
  }
  await open()
  const button = await find('button', 'Copy')
  button.focus()
  button.click()
  await eventually(() => expect(isShown('Copied')).toBe(true))
  expect(selected).toBe('whsec_1')
  expect(document.activeElement?.textContent).toBe('Copied')
})

test('a browser that refuses is told of', async () => {
  vi.stubGlobal(
    'navigator',
    Object.create(navigator, { clipboard: { value: { writeText: () => Promise.reject(new Error('no')) } } }),
  )
  await open()
  await press('Copy')
  await eventually(() =>
    expect(getToasts().map(({ text }) => text)).toEqual([
      'It could not be copied. Select the text and copy it by hand.',
    ]),
  )
})
