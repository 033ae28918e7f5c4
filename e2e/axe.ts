import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Page } from 'playwright-core'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A document gets axe once. */
async function bringAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource)
}

/** All that axe finds on the page once nothing on it is renewed any more, minor faults and broken advice too: each rule with the elements that break it, and why. */
export const axeFaults = (page: Page): Promise<string[]> => faultsBy(page)

/** Resolves once no colour changes any more: axe must not judge one that is half way. */
export const coloursChanged = (page: Page): Promise<void> =>
  page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((each) => each instanceof CSSTransition)
        .map(({ finished }) => finished),
    ).then(() => {}),
  )

/** Faults that the theme alone decides, of a page that was judged in the other theme. */
export async function contrastFaults(page: Page): Promise<string[]> {
  await coloursChanged(page)
  return faultsBy(page, ['color-contrast', 'link-in-text-block'])
}

async function faultsBy(page: Page, rules?: string[]): Promise<string[]> {
  // A list is dimmed while it shows the answer to the question before.
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  await bringAxe(page)
  // The app has no frames, and what is right is not wanted: a run of axe itself takes half the time of one by its builder for Playwright.
  const violations = await page.evaluate(violationsOf, rules)
  // An open menu belongs to its button: it needs no landmark around it.
  const counts = (id: string, html: string) => id !== 'region' || !html.includes('role="menu"')
  return violations.flatMap(({ id, impact, nodes }) => {
    const broken = nodes.filter(({ html }) => counts(id, html))
    if (broken.length === 0) return []
    return `${id} (${impact}): ${broken.map((node) => `${node.html} (${node.failureSummary})`).join(' ')}`
  })
}

async function violationsOf(rules?: string[]): Promise<axe.Result[]> {
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  const { violations } = await axe.run(document, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  return violations
}
