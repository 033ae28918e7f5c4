// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { handOverForm } from './hand-over-form.ts'
import { loadWords } from './words.ts'

// It draws, which the DOM of the tests does not.
vi.mock('../../shared/hand-over/signature-on.ts', () => ({
  signatureSize: {},
  signatureOn: () => ({ clear: () => undefined, read: async () => null }),
}))

test('name and signature are marked as needed where they are', async () => {
  await loadWords(['receiverPage'], 'en')
  const marked = (needsSignature: boolean) => {
    const send = async () => null
    const form = handOverForm({ items: [], shown: null, outcomes: ['delivered'], needsSignature, send, cancel() {} })
    const fields = [...form.querySelectorAll('.field')]
    return fields
      .filter((field) => field.hasAttribute('data-required') || field.querySelector('[required]'))
      .map((field) => field.firstElementChild?.textContent)
  }
  expect(marked(true)).toEqual(['Name', 'Signature'])
  expect(marked(false)).toEqual([])
})
