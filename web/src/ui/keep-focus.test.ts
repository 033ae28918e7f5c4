// @vitest-environment page
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eventually } from '../test/show.tsx'
import { isGivenBack, keepFocus } from './keep-focus.ts'

let stop: () => void
beforeEach(() => {
  stop = keepFocus()
})
afterEach(() => {
  vi.useRealTimers()
  stop()
  document.body.replaceChildren()
})

const page = (content: string) => {
  document.body.innerHTML = `<button id="menu">Menu</button><main id="main" tabindex="-1">${content}</main>`
}
const at = (id: string) => document.getElementById(id) as HTMLElement
const focused = (id: string) => eventually(() => expect(document.activeElement?.id).toBe(id))
const rows = `<h2>Alarms</h2><button id="all">All</button><ul>${[1, 2, 3]
  .map(
    (row) => `<li id="row${row}"><button id="acknowledge${row}">A</button><button id="resolve${row}">R</button></li>`,
  )
  .join('')}</ul>`

test('a button that is gone leaves the focus in its row', async () => {
  page(rows)
  at('acknowledge2').focus()
  at('acknowledge2').remove()
  await focused('resolve2')
  at('resolve2').remove()
  await focused('acknowledge3')
})

test('a button in the place of one that is gone gets the focus', async () => {
  page(
    '<p><button id="before">Before</button><button id="take">Take it</button></p><p><button id="next">Next</button></p>',
  )
  at('take').focus()
  const change = Object.assign(document.createElement('button'), { id: 'change' })
  at('take').replaceWith(change)
  await focused('change')
})

test('a row that is gone gives the focus to the next one, and the last one to the row before', async () => {
  page(rows)
  at('resolve2').focus()
  at('row2').remove()
  await focused('acknowledge3')
  at('row3').remove()
  await focused('resolve1')
  at('row1').remove()
  await focused('all')
})

test('a content without anything to press gets the focus itself, and the menu beside it does not', async () => {
  page('<p id="line"><button id="only">Only</button></p>')
  at('only').focus()
  at('line').remove()
  await focused('main')
})

test('a button that stays disabled after its call leaves the focus beside it, and one that may be pressed again has it', async () => {
  page('<form><textarea id="text"></textarea><button id="send">Send</button></form>')
  const send = at('send') as HTMLButtonElement
  const run = async () => {
    send.focus()
    send.dataset.loading = 'true'
    send.disabled = true
    // A browser does so by itself; the page of the tests does not.
    send.blur()
    await Promise.resolve()
    delete send.dataset.loading
  }
  await run()
  send.disabled = false
  await focused('send')
  await run()
  await focused('text')
})

test('a key that is held down, or pressed twice at once, does not press the button that the focus went to', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  page(rows)
  at('acknowledge1').focus()
  at('acknowledge1').remove()
  await focused('resolve1')
  const enter = (repeat: boolean) => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true })
    at('resolve1').dispatchEvent(event)
    return event.defaultPrevented
  }
  expect(enter(true)).toBe(true)
  expect(isGivenBack(at('resolve1'))).toBe(true)
  expect(enter(false)).toBe(true)
  vi.advanceTimersByTime(1000)
  expect(enter(true)).toBe(true)
  expect(enter(false)).toBe(false)
})

test('a field gets no focus from a button that is gone: the next letter may be meant for the screen', async () => {
  page('<p><button id="remove">Remove</button><input id="name"></p><p><button id="next">Next</button></p>')
  at('remove').focus()
  at('remove').remove()
  await focused('next')
})

test('focus that somebody has moved elsewhere stays there', async () => {
  page(rows)
  at('acknowledge1').focus()
  at('all').focus()
  at('row1').remove()
  at('menu').focus()
  at('all').remove()
  await Promise.resolve()
  expect(document.activeElement?.id).toBe('menu')
})

/** Opens a dialog by a button, which is gone with it. */
const pressAndClose = (opener: string) => {
  const dialog = Object.assign(document.createElement('div'), { id: 'portal' })
  dialog.dataset.portal = 'true'
  dialog.innerHTML = '<div role="dialog"><button id="send">Send</button></div>'
  at('all').focus()
  at(opener).focus()
  document.body.append(dialog)
  at('send').focus()
  at(opener).remove()
  dialog.remove()
}

test('a dialog whose button is gone with what it did leaves the focus where the button stood, or to what comes next', async () => {
  page(rows.replaceAll(/<button id="resolve\d">R<\/button>/g, ''))
  pressAndClose('acknowledge2')
  await focused('acknowledge3')
})

test('a dialog whose button stood by itself gives the focus to the content, not to a button far from it', async () => {
  page(`<div><button id="end">End</button></div>${rows}`)
  pressAndClose('end')
  await focused('main')
})
