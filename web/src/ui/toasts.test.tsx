// @vitest-environment page
import { afterEach, expect, test, vi } from 'vitest'
import { dismissToast, getToasts, toastError, toastSuccess } from '../lib/toast.ts'
import { eventually, find, leave, show } from '../test/show.tsx'
import { Toasts } from './toasts.tsx'

afterEach(() => {
  vi.restoreAllMocks()
  return leave()
})

/** Where an element stands on a phone: `data-at` has its top and bottom. */
function measured(this: Element) {
  const [top = 0, bottom = 0] = (this.getAttribute('data-at') ?? '0,40').split(',').map(Number)
  return { ...{ top, bottom, left: 0, right: 390, x: 0, y: top, width: 390 }, height: bottom - top } as DOMRect
}

/** Where a toast stands, and where once the dialog is closed and the actions of the screen are there. */
async function topOf(text: string, page: string, tell = toastError) {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(measured)
  vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(390)
  vi.spyOn(document.documentElement, 'clientHeight', 'get').mockReturnValue(844)
  await show(<Toasts />)
  const around = document.createElement('div')
  around.innerHTML = page
  document.body.append(around)
  tell(text)
  const stack = (await find('li', text)).parentElement
  await eventually(() => expect(stack?.style.getPropertyValue('--toast-top')).not.toBe(''))
  const top = stack?.style.getPropertyValue('--toast-top')
  around.querySelector('[role=dialog]')?.remove()
  around.querySelector('main')?.insertAdjacentHTML('beforeend', '<p data-actions data-at="100,140"></p>')
  await eventually(() => expect(stack?.style.getPropertyValue('--toast-top')).toBe('148px'))
  around.remove()
  for (const { id } of getToasts()) dismissToast(id)
  return top
}

const heads = '<header data-at="0,56"></header><main><nav data-at="56,100"></nav></main>'

test('a toast stands below the heads of a screen, also of one that comes after it', async () => {
  expect(await topOf('Not today.', heads)).toBe('108px')
})

test('a toast stands above an open dialog, and below its head where it fills the window: not over its words', async () => {
  const dialog = (at: string) => `${heads}<div role="dialog" aria-modal="true"><header data-at="${at}"></header></div>`
  expect(await topOf('Not today.', dialog('110,150'))).toBe('12px')
  expect(await topOf('Not at all.', dialog('10,60'))).toBe('68px')
})

test('a success that comes as its dialog goes stands where no dialog is', async () => {
  const dialog = `${heads}<div role="dialog" aria-modal="true"></div>`
  expect(await topOf('Saved.', dialog, toastSuccess)).toBe('108px')
})
