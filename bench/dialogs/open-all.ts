import type { ElementHandle, Page } from 'playwright-core'
import { settle } from '../../e2e/screens.ts'

/** A click may open these: dialogs and drawers are both dialogs to a reader of screens. */
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

interface Judging {
  /** Whether it was judged before. */
  isKnown(opened: Opened): boolean
  /** Looks at what is open. */
  judge(opened: Opened): Promise<void>
}

/**
 * Clicks each button of a screen, and each entry of the menus that they open, of each row of a list the first only. Whatever opens is closed by Escape,
 * and opened again to be judged: windows of other widths may have other buttons. Nothing inside of a dialog is clicked: nothing is confirmed. Resolves to
 * the faults of the closing: a dialog that Escape leaves open, and a focus that is nowhere afterwards.
 */
export async function openAll(page: Page, address: string, { isKnown, judge }: Judging): Promise<string[]> {
  const faults: string[] = []
  const open = async (clicked: string[]) => {
    for (const [at, name] of clicked.entries())
      if (!(await clickNamed(page, at === 0 ? 'buttons' : 'entries', name))) return null
      else if (at < clicked.length - 1 && (await opened(page)) !== 'menu') return null
    return await opened(page)
  }
  const openAnew = async (clicked: string[]) => {
    await visit(page, address)
    return open(clicked)
  }
  const look = async (clicked: string[]) => {
    const kind = (await open(clicked)) ?? (await openAnew(clicked))
    if (kind === 'dialog') {
      await settle(page)
      const title = await page.locator(dialogs).last().evaluate(titleOf)
      const found: Opened = { address, clicked, kind, title }
      const isNew = !isKnown(found)
      const fault = await closed(page)
      if (fault) faults.push(`${address}: ${clicked.join(' > ')}: "${title}" ${fault}`)
      if (isNew && ((fault ? null : await open(clicked)) ?? (await openAnew(clicked))) === 'dialog') {
        await settle(page)
        await judge(found)
      }
      if (isNew || fault) await visit(page, address)
    }
    if (!isAt(page, address)) await visit(page, address)
    return kind
  }
  await visit(page, address)
  for (const name of await namesOf(page, 'buttons')) {
    if ((await look([name])) !== 'menu') continue
    await judge({ address, clicked: [name], kind: 'menu', title: name })
    const entries = await namesOf(page, 'entries')
    await page.keyboard.press('Escape')
    for (const entry of entries) await look([name, entry])
  }
  return faults
}

/** Closes the dialog by Escape; what is wrong with that, or null. */
async function closed(page: Page): Promise<string | null> {
  const holds = (is: () => boolean, ms: number) =>
    page.waitForFunction(is, undefined, { timeout: ms }).then(
      () => true,
      () => false,
    )
  await page.keyboard.press('Escape')
  const isGone = await holds(() => document.querySelector('[role=dialog], [role=alertdialog]') === null, 3_000)
  if (!isGone) return 'stays open after Escape'
  return (await holds(() => document.activeElement !== document.body, 1_000)) ? null : 'leaves the focus nowhere'
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
    /** All that can be clicked, by name: of equal names the first, of the rows of a list the first row. */
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
