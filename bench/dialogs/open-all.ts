import type { ElementHandle, Page } from 'playwright-core'
import { settle } from '../../e2e/screens.ts'

/** What a click may open: dialogs and drawers are both dialogs to a reader of screens. */
const dialogs = '[role=dialog]:visible, [role=alertdialog]:visible'
const menus = '[role=menu]:visible'
/** So long a click has to open something, ms: what it opens may be loaded first. */
const opensWithinMs = 1_500

export interface Opened {
  /** The screen, and what was clicked on it, in order. */
  address: string
  clicked: string[]
  kind: 'dialog' | 'menu'
  title: string
}

/**
 * Clicks each button of a screen, and each entry of the menus that they open, of each row of a list the first only. Whatever opens is told to
 * `judge` while it is open, and closed by Escape. Nothing inside of a dialog is clicked: nothing is confirmed. Resolves to the faults of the closing:
 * a dialog that Escape leaves open, and a focus that is nowhere afterwards.
 */
export async function openAll(
  page: Page,
  address: string,
  judge: (opened: Opened) => Promise<void>,
): Promise<string[]> {
  const faults: string[] = []
  await visit(page, address)
  const buttons = await namesOf(page, 'buttons')
  for (const name of buttons) {
    if (!(await clickNamed(page, 'buttons', name))) {
      await visit(page, address)
      if (!(await clickNamed(page, 'buttons', name))) continue
    }
    const kind = await opened(page)
    if (kind === 'dialog') await closed([name])
    else if (kind === 'menu') {
      await judge({ address, clicked: [name], kind, title: name })
      for (const entry of await namesOf(page, 'entries')) {
        if ((await page.locator(menus).count()) === 0) await clickNamed(page, 'buttons', name)
        if ((await opened(page)) !== 'menu' || !(await clickNamed(page, 'entries', entry))) {
          await visit(page, address)
          continue
        }
        if ((await opened(page)) === 'dialog') await closed([name, entry])
        else await visit(page, address)
      }
      await page.keyboard.press('Escape')
    }
    if (!isAt(page, address)) await visit(page, address)
  }
  return faults

  async function closed(clicked: string[]) {
    await settle(page)
    const title = await page.locator(dialogs).last().evaluate(titleOf)
    await judge({ address, clicked, kind: 'dialog', title })
    const before = await page.locator(dialogs).count()
    await page.keyboard.press('Escape')
    const where = `${address}: ${clicked.join(' > ')}: "${title}"`
    const isClosed = await page
      .waitForFunction(
        ([count, selector]) => document.querySelectorAll(selector as string).length < (count as number),
        [before, dialogs.replaceAll(':visible', '')] as const,
        { timeout: 3_000 },
      )
      .then(
        () => true,
        () => false,
      )
    if (!isClosed) {
      faults.push(`${where} stays open after Escape`)
      return visit(page, address)
    }
    const hasFocus = await page
      .waitForFunction(() => document.activeElement !== document.body, undefined, { timeout: 1_000 })
      .then(
        () => true,
        () => false,
      )
    if (!hasFocus) faults.push(`${where} leaves the focus nowhere`)
  }
}

const isAt = (page: Page, address: string) => {
  const url = new URL(page.url())
  return url.pathname === new URL(address, url).pathname
}

async function visit(page: Page, address: string) {
  await page.goto('about:blank')
  await page.goto(address)
  await settle(page)
}

async function opened(page: Page): Promise<Opened['kind'] | null> {
  const found = page.locator(`${dialogs}, ${menus}`).last()
  await found.waitFor({ timeout: opensWithinMs }).catch(() => {})
  if ((await page.locator(dialogs).count()) > 0) return 'dialog'
  return (await page.locator(menus).count()) > 0 ? 'menu' : null
}

const titleOf = (dialog: Element) => {
  const nameOf = (element: Element | null) => element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
  const label = dialog.getAttribute('aria-labelledby')
  return label ? nameOf(document.getElementById(label)) : (dialog.getAttribute('aria-label') ?? '')
}

type What = 'buttons' | 'entries'

const namesOf = (page: Page, what: What): Promise<string[]> =>
  page.evaluate((what) => [...window.clickable(what).keys()], what)

/** False where it is not there, or not to be clicked. */
async function clickNamed(page: Page, what: What, name: string): Promise<boolean> {
  const handle = await page.evaluateHandle(([what, name]) => window.clickable(what).get(name) ?? null, [
    what,
    name,
  ] as const)
  const element = handle.asElement() as ElementHandle<HTMLElement> | null
  return element
    ? element.click({ timeout: 3_000 }).then(
        () => true,
        () => false,
      )
    : false
}

declare global {
  interface Window {
    /** What can be clicked, by name: of equal names the first, of the rows of a list the first row. */
    clickable(what: What): Map<string, HTMLElement>
  }
}

/** Brings `clickable` into each document of the page. */
export const bringClickable = (page: Page) =>
  page.addInitScript(() => {
    window.clickable = (what) => {
      const found = new Map<string, HTMLElement>()
      const all = document.querySelectorAll<HTMLElement>(
        what === 'buttons' ? 'main button, main [role=button]' : '[role=menu] [role^=menuitem]',
      )
      const firstRow = document.querySelector('main [data-row]')
      for (const each of all) {
        const row = each.closest('[data-row]')
        const isLeftOut =
          (row !== null && row !== firstRow) || each.closest('th, [role=columnheader], [role=dialog], nav') !== null
        const cannot = each.matches('[aria-pressed], [role=tab], :disabled, [aria-disabled=true], [data-disabled]')
        const name = (each.getAttribute('aria-label') ?? each.textContent ?? '').trim()
        if (isLeftOut || cannot || !each.checkVisibility() || found.has(name)) continue
        found.set(name, each)
      }
      return found
    }
  })
