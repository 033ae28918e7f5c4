import type { Locale } from '@isotherm/contract/common.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { admin, teamMember } from './people.ts'
import { goOn, settle } from './screens.ts'
import { openStage, type Stage } from './stage.ts'
import { textsOf } from './texts.ts'

let stage: Stage
let storageState: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>
beforeAll(async () => {
  stage = await openStage()
  const { page } = await admin(stage)
  await teamMember(stage, page, { fullname: 'Juan Pérez Rodríguez de la Fuente', role: 'manager' })
  storageState = await page.context().storageState()
})
afterAll(() => stage?.close())

const guestScreens = [
  '/login',
  '/signup',
  '/forgotpassword',
  '/reset#stale',
  '/usersetup#stale',
  '/verify#any',
  '/link-over',
]
/** Apps of their own. */
const linkScreens = ['/share#none', '/wall']
const sessionScreens = [
  '/users/all-users',
  '/users/permissions?role=manager',
  '/settings/profile',
  '/settings/businessprofile',
  '/settings/changepassword',
  '/settings/chart-settings',
  '/settings/sharing',
]
/** Each language and size. Axe judges the screens in every-screen.e2e.test.ts. */
const looks = [
  { width: 1366, colorScheme: 'light', locale: 'en-GB' },
  { width: 1366, colorScheme: 'dark', locale: 'fr-FR' },
  { width: 390, colorScheme: 'light', locale: 'es-ES' },
  { width: 390, colorScheme: 'dark', locale: 'sw-KE' },
] as const

/** The heading of the page of an unknown address. */
const unknownIn = async (locale: (typeof looks)[number]['locale']) =>
  (await textsOf(locale.slice(0, 2) as Locale, ['common']))('common:notFound.title')

/** Names that do not fit (of the screen, its tabs, the bottom bar), and buttons a thumb would miss. */
const cutOrSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isCut = (element: Element) => element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1
    // On a phone tabs are moved sideways.
    const names = [...document.querySelectorAll(innerWidth > 1000 ? 'h1, nav, nav span' : 'h1, nav a > span')]
    const isThumb = matchMedia('(pointer: coarse)').matches
    const buttons = [...document.querySelectorAll('.mantine-Button-root')].filter((button) => {
      const { height } = button.getBoundingClientRect()
      return isThumb && height > 0 && height < 44
    })
    return [
      ...names.filter(isCut).map((element) => `cut: ${element.textContent}`),
      ...buttons.map((button) => `too low for a thumb: ${button.textContent}`),
    ]
  })

/** Names that are cut, texts that are missing, and a page wider than its window. */
async function blemishes(page: Page, name: string): Promise<string[]> {
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  // A key instead of a text: "users.title", "common:actions.save".
  const keys = await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    while (texts.nextNode())
      if (/^[a-z][A-Za-z]*[:.][a-z][\w.]*$/.test(texts.currentNode.textContent ?? ''))
        found.push(texts.currentNode.textContent ?? '')
    return found
  })
  return [
    ...(await cutOrSmall(page)).map((what) => `${name}: ${what}`),
    ...(tooWide > 0 ? [`${name}: ${tooWide} px too wide`] : []),
    ...keys.map((key) => `${name}: ${key}`),
  ]
}

describe.each(looks)('at $width, $colorScheme, $locale', ({ width, colorScheme, locale }) => {
  // A toast on its way in is pale for a moment, which is not what axe is to judge.
  const options = {
    viewport: { width, height: 844 },
    colorScheme,
    locale,
    reducedMotion: 'reduce' as const,
    hasTouch: width < 700,
  }

  test('the screens before the login have no blemish', async () => {
    const page = await stage.page(options)
    const found: string[] = []
    const look = async (path: string) => {
      await settle(page)
      found.push(...(await blemishes(page, path)))
    }
    await page.goto('/404')
    await look('/404')
    const unknown = await unknownIn(locale)
    for (const path of guestScreens) {
      await goOn(page, path, unknown)
      await look(path)
    }
    for (const path of linkScreens) {
      await page.goto(path)
      await look(path)
    }
    expect(found).toEqual([])
  })

  test('the screens of access and company have no blemish', async () => {
    // The language chosen before goes, so that the browser's is spoken.
    const page = await stage.page({ ...options, storageState })
    await page.addInitScript((language) => localStorage.setItem('isotherm.language', language), locale.slice(0, 2))
    const found: string[] = []
    await page.goto('/dashboard')
    const unknown = await unknownIn(locale)
    for (const path of sessionScreens) {
      await goOn(page, path, unknown)
      await settle(page)
      found.push(...(await blemishes(page, path)))
    }
    await goOn(page, '/users/all-users', unknown)
    await settle(page)
    await page.locator('button:has(svg.tabler-icon-plus)').first().click()
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    found.push(...(await blemishes(page, 'Add User')))
    await page.keyboard.press('Escape')
    await page.locator('button[aria-haspopup=menu]').first().click()
    await page.getByRole('menu').waitFor()
    found.push(...(await blemishes(page, 'person menu')))
    expect(found).toEqual([])
    expect(stage.faults).toEqual([])
  })
})
