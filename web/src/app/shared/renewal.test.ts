// @vitest-environment page
import { expect, test } from 'vitest'
import { isOutdated } from './renewal.ts'

const page = (script: string) => `<html><head><script type="module" src="${script}"></script></head></html>`
const open = (script: string) => new DOMParser().parseFromString(page(script), 'text/html')

test('a page is outdated when the server sends another script for it, not when it sends the same or none', () => {
  expect(isOutdated(page('/assets/shared-2.js'), open('/assets/shared-1.js'))).toBe(true)
  expect(isOutdated(page('/assets/shared-1.js'), open('/assets/shared-1.js'))).toBe(false)
  // A proxy's page of "the server is away" is none of ours.
  expect(isOutdated('<h1>Bad gateway</h1>', open('/assets/shared-1.js'))).toBe(false)
})
