// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { drawAnew, h } from './dom.ts'

const root = h('div')
const draw = (...words: string[]) =>
  drawAnew(root, () => [h('main', {}, ...words.map((each, index) => h('button', { id: `at${index}` }, each)))])
const focused = () => document.activeElement?.id || document.activeElement?.tagName
const focus = (id: string) => document.getElementById(id)?.focus()

beforeEach(() => {
  document.body.replaceChildren(h('a', { id: 'outside', href: '/' }, 'Outside'), root)
  draw('Start', 'Seen', 'Seen', 'Call')
})

test('a page that is drawn anew leaves the focus at the same control', () => {
  focus('at2')
  draw('A notice', 'Start', 'Seen', 'Seen', 'Call')
  expect(focused()).toBe('at3')
})

test('a control that is gone leaves it in the content, and not at the one in its place, which another Enter would press', () => {
  focus('at0')
  draw('I am there', 'Seen', 'Seen', 'Call')
  expect(focused()).toBe('MAIN')
})

test('a field that is drawn again keeps it', () => {
  const field = h('input')
  drawAnew(root, () => [h('main', {}, field)])
  field.focus()
  drawAnew(root, () => [h('main', {}, h('p', {}, 'A notice'), field)])
  expect(document.activeElement).toBe(field)
})

test('focus elsewhere is not taken', () => {
  focus('outside')
  draw('Start')
  expect(focused()).toBe('outside')
})
