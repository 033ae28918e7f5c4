import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** All that axe finds on the page as it is now, minor faults and broken advice too: each rule with the elements that break it, and why. */
export async function axeFaults(page: Page): Promise<string[]> {
  // The app has no frames: the legacy mode judges the page itself and opens no second one to put frames together.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  return violations.map(
    ({ id, impact, nodes }) =>
      `${id} (${impact}): ${nodes.map((node) => `${node.html} (${node.failureSummary})`).join(' ')}`,
  )
}
